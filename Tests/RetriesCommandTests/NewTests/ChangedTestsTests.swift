import Testing

@testable import RetriesCommand

/// Two versions of a file, and the tests between them that are new or changed.
struct Change: Sendable, CustomTestStringConvertible {
    let description: String
    let old, new: String
    let tests: [String]

    init(_ description: String, _ old: String, _ new: String, _ tests: String...) {
        (self.description, self.old, self.new, self.tests) = (description, old, new, tests)
    }

    var testDescription: String { description }
}

extension SwiftDeclaration {
    /// The path and the name, such as `CartTests/testFills`.
    var identity: String { (key.path + [key.name]).joined(separator: "/") }
}

@Suite("The tests that are new or changed")
struct ChangedTestsTests {
    private static func changed(_ files: [(old: String, new: String)]) -> [String] {
        let changes = files.map { old, new in
            FileChange(
                path: "A.swift",
                old: SwiftDeclarationParser.declarations(in: old),
                new: SwiftDeclarationParser.declarations(in: new)
            )
        }
        return FileChange.changedTests(in: changes).filter(\.test.isTest).map(\.test.identity)
    }

    private static let cart = """
        import XCTest
        @testable import Shop

        final class CartTests: XCTestCase {
            let shop = Shop(name: "a")
            var sum: Int { shop.sum }

            override func setUp() {
                super.setUp()
                shop.open()
            }

            func testFills() {
                fill(1)
                XCTAssertEqual(sum, 1)
            }

            // Another one.
            func testEmpties() async throws {
                XCTAssert(shop.isEmpty, "it is \\(shop.map { "{\\($0)" })")
            }

            private func fill(_ count: Int) { put(count) }
            private func put(_ count: Int) { shop.put(count) }
        }

        final class OtherTests: XCTestCase {
            func testOther() {}
        }
        """

    /// Edits of ``cart``.
    static let edits: [(String, String, [String])] = [
        ("XCTAssertEqual(sum, 1)", "XCTAssertEqual(sum, 2)", ["CartTests/testFills"]),
        (
            "    func testFills() {\n        fill(1)", "    func testFills()\n    {\n        // one\n        fill( 1 )",
            []
        ),
        ("import XCTest\n", "import Foundation\nimport XCTest\n/* func testNone() { */\n", []),
        ("    // Another one.\n", "    // The same /* as */ before {\n", []),
        ("    // Another one.\n", "    func testNew() {}\n", ["CartTests/testNew"]),
        ("    func testOther() {}", "", []),
        ("testOther() {}", "testNamed() {}", ["OtherTests/testNamed"]),
        ("async throws {", "throws {", ["CartTests/testEmpties"]),
        ("\"it is ", "\"it  is ", ["CartTests/testEmpties"]),
        ("shop.put(count)", "shop.put(count + 1)", ["CartTests/testFills"]),
        ("var sum: Int { shop.sum }", "var sum: Int { shop.sum + 1 }", ["CartTests/testFills"]),
        ("name: \"a\"", "name: \"b\"", ["CartTests/testFills", "CartTests/testEmpties"]),
        ("shop.open()", "shop.close()", ["CartTests/testFills", "CartTests/testEmpties"]),
        ("class OtherTests: XCTestCase", "class OtherTests: BaseTestCase", ["OtherTests/testOther"]),
        ("final class OtherTests", "@MainActor final class OtherTests", ["OtherTests/testOther"]),
        ("CartTests", "BasketTests", []),
        ("    private func fill", "    private func unused() {}\n    private func fill", []),
        (
            "final class OtherTests", "extension CartTests {\n    func testMore() {}\n}\nfinal class OtherTests",
            ["CartTests/testMore"]
        ),
    ]

    @Test("an edit chooses the tests that it may change, and no other", arguments: edits)
    func edit(old: String, new: String, tests: [String]) {
        #expect(Self.changed([(Self.cart, Self.cart.replacing(old, with: new))]) == tests)
    }

    static let changes = [
        Change(
            "an attribute on a line before belongs to its test",
            "@Test(\"a\", arguments: [1, 2])\nfunc fills(_ count: Int, in shop: Shop, _: Int = 1) {}\n@Test func b() {}",
            "@Test(\"a\", arguments: [1, 3])\nfunc fills(_ count: Int, in shop: Shop, _: Int = 1) {}\n@Test func b() {}",
            "fills(_:in:_:)"
        ),
        Change(
            "what no XCTest can be is a helper, though its name begins with test",
            """
            struct S { func testLink() { a() } }
            class A: X { func testUser() -> String { "a" }; func testA() { S().testLink() }; func testB() { testUser() }; func testC() {} }
            """,
            """
            struct S { func testLink() { b() } }
            class A: X { func testUser() -> String { "b" }; func testA() { S().testLink() }; func testB() { testUser() }; func testC() {} }
            """,
            "A/testA",
            "A/testB"
        ),
        Change(
            "a function that says that it returns nothing is a test, also in an extension",
            "extension A { func testA() throws -> Void { a() }; func testB() -> () { a() } }",
            "extension A { func testA() throws -> Void { b() }; func testB() -> () { b() } }",
            "A/testA",
            "A/testB"
        ),
        Change(
            "a comma after the last of several arguments is formatting",
            "@Test(arguments: [1, 2]) func a(x: Int) { f(a: 1, b: 2) }",
            "@Test(\n  arguments: [\n    1,\n    2,\n  ]\n)\nfunc a(x: Int) {\n  f(\n    a: 1,\n    b: 2,\n  )\n}"
        ),
        Change(
            "the traits of a suite are those of its tests, also of nested ones",
            "@Suite(.serialized) struct S { struct N { @Test func a() {} } }\nstruct O { @Test func b() {} }",
            "@Suite struct S { struct N { @Test func a() {} } }\nstruct O { @Test func b() {} }",
            "S/N/a()"
        ),
        Change(
            "a suite whose name has back quotes is renamed like any other",
            "@Suite(.serialized) struct `A B` { @Test func a() {} }",
            "@Suite(.serialized) struct `A C` { @Test func a() {} }"
        ),
        Change(
            "what a suite's init does is done for each of its tests",
            "struct S { init() { a() }; @Test func b() {} }\nextension S { @Test func c() {} }",
            "struct S { init() { z() }; @Test func b() {} }\nextension S { @Test func c() {} }",
            "S/b()",
            "S/c()"
        ),
        Change(
            "a setUp that is gone changes its tests",
            "class A: T { override func setUp() {}\n func testA() {} }",
            "class A: T { func testA() {} }",
            "A/testA"
        ),
        Change(
            "a base class's setUp is done for the tests of its subclasses",
            "class Base: XCTestCase { override func setUp() { a() } }\nclass A: Base { func testA() {} }\nclass B: X { func testB() {} }",
            "class Base: XCTestCase { override func setUp() { b() } }\nclass A: Base { func testA() {} }\nclass B: X { func testB() {} }",
            "A/testA"
        ),
        Change(
            "tests that make a value use the defaults of its properties",
            "struct C { var limit = 1 }\nfunc run(_ c: C) {}\n@Test func a() { run(C()) }\n@Test func b() { print(c.limit) }\n@Test func c() {}",
            "struct C { var limit = 2 }\nfunc run(_ c: C) {}\n@Test func a() { run(C()) }\n@Test func b() { print(c.limit) }\n@Test func c() {}",
            "a()",
            "b()"
        ),
        Change(
            "tests that name a type do not rely on those of its functions that they do not name",
            "struct C { func read() { a() }; func write() {} }\n@Test func a() { C().write() }\n@Test func b() { C().read() }",
            "struct C { func read() { b() }; func write() {} }\n@Test func a() { C().write() }\n@Test func b() { C().read() }",
            "b()"
        ),
        Change(
            "tests that name a type rely on what an extension's conformance makes of its cases",
            "enum C { case red }\nextension C: CaseIterable {}\n@Test func one() { C.allCases }\n@Test func two() { use(.red) }",
            "enum C { case red, blue }\nextension C: CaseIterable {}\n@Test func one() { C.allCases }\n@Test func two() { use(.red) }",
            "one()",
            "two()"
        ),
        Change(
            "tests that name a type rely on a new one in it that stands for what a protocol asks for",
            "struct C: Codable { var a = 1 }\nstruct D { @Test func a() { code(C()) }; @Test func b() {} }",
            "struct C: Codable { var a = 1; enum CodingKeys: String, CodingKey { case a = \"b\" } }\nstruct D { @Test func a() { code(C()) }; @Test func b() {} }",
            "D/a()"
        ),
        Change(
            "tests that name a type rely on what a new one in an extension's conformance stands for",
            "struct C {}\nextension C: P {}\nstruct D { @Test func a() { use(C()) }; @Test func b() {} }",
            "struct C {}\nextension C: P { struct Out {} }\nstruct D { @Test func a() { use(C()) }; @Test func b() {} }",
            "D/a()"
        ),
        Change(
            "tests that name a type rely on a new one of the file that hides it",
            "struct D { @Test func a() { Clock() }; @Test func b() {} }",
            "private struct Clock {}\nstruct D { @Test func a() { Clock() }; @Test func b() {} }",
            "D/a()"
        ),
        Change(
            "tests that name a type rely on a new typealias that hides it",
            "struct D { @Test func a() { Clock() }; @Test func b() {} }",
            "struct D { typealias Clock = Fake; @Test func a() { Clock() }; @Test func b() {} }",
            "D/a()"
        ),
        Change(
            "an override is for all tests of its class, though one names it",
            "class D: Base { override var limit: Int { 1 }; func testA() { limit }; func testB() {} }",
            "class D: Base { override var limit: Int { 2 }; func testA() { limit }; func testB() {} }",
            "D/testA",
            "D/testB"
        ),
        Change(
            "an override is for all tests of its class, though no other file sees it",
            "class D: Base { override fileprivate var limit: Int { 1 }; func testA() { limit }; func testB() {} }",
            "class D: Base { override fileprivate var limit: Int { 2 }; func testA() { limit }; func testB() {} }",
            "D/testA",
            "D/testB"
        ),
        Change(
            "what a suite has for a protocol is for all its tests, though one names it",
            "struct D: HasPort { var port: Int { 1 }; @Test func a() { port }; @Test func b() {} }",
            "struct D: HasPort { var port: Int { 2 }; @Test func a() { port }; @Test func b() {} }",
            "D/a()",
            "D/b()"
        ),
        Change(
            "what a test class has for a protocol is for all its tests, though one names it",
            "class D: XCTestCase, HasPort { var port: Int { 1 }; func testA() { port }; func testB() {} }",
            "class D: XCTestCase, HasPort { var port: Int { 2 }; func testA() { port }; func testB() {} }",
            "D/testA",
            "D/testB"
        ),
        Change(
            "what a class of Swift Testing's has for a protocol is for all its tests",
            "final class D: HasPort { var port: Int { 1 }; @Test func a() { port }; @Test func b() {} }",
            "final class D: HasPort { var port: Int { 2 }; @Test func a() { port }; @Test func b() {} }",
            "D/a()",
            "D/b()"
        ),
        Change(
            "a protocol that asks for nothing asks for no helper",
            "class D: Base<A, B>, @unchecked Sendable, ~Copyable { func put() { a() }; func testA() { put() }; func testB() {} }",
            "class D: Base<A, B>, @unchecked Sendable, ~Copyable { func put() { b() }; func testA() { put() }; func testB() {} }",
            "D/testA"
        ),
        Change(
            "a private helper is for those that name it, whatever its type conforms to",
            "struct D: HasPort { private func put() { a() }; @Test func a() { put() }; @Test func b() {} }",
            "struct D: HasPort { private func put() { b() }; @Test func a() { put() }; @Test func b() {} }",
            "D/a()"
        ),
        Change(
            "tests may use a static member of a protocol's extension through another type",
            "extension Kind { static var size: Int { 1 } }\n@Test func a() { K.size }\n@Test func b() { total(K.self) }",
            "extension Kind { static var size: Int { 2 } }\n@Test func a() { K.size }\n@Test func b() { total(K.self) }",
            "a()",
            "b()"
        ),
        Change(
            "a helper of a test class is for those that name it",
            "class D: XCTestCase { var port: Int { 1 }; func testA() { port }; func testB() {} }",
            "class D: XCTestCase { var port: Int { 2 }; func testA() { port }; func testB() {} }",
            "D/testA"
        ),
        Change(
            "tests may use the extension of a protocol through another type",
            "extension Store { func key() -> Int { 1 } }\nstruct Fake: Store {}\n@Test func a() { key() }\n@Test func b() { use(Fake()) }",
            "extension Store { func key() -> Int { 2 } }\nstruct Fake: Store {}\n@Test func a() { key() }\n@Test func b() { use(Fake()) }",
            "a()",
            "b()"
        ),
        Change(
            "what is private in an extension is for those that name it",
            "private extension Store { func key() -> Int { 1 } }\n@Test func a() { key() }\n@Test func b() {}",
            "private extension Store { func key() -> Int { 2 } }\n@Test func a() { key() }\n@Test func b() {}",
            "a()"
        ),
        Change(
            "an override that moves to the base class changes the tests of both",
            "class Base: XCTestCase {}\nclass A: Base { override var port: Int { 1 }\n func testA() {} }\nclass B: Base { func testB() {} }",
            "class Base: XCTestCase { override var port: Int { 1 } }\nclass A: Base { func testA() {} }\nclass B: Base { func testB() {} }",
            "A/testA",
            "B/testB"
        ),
        Change(
            "what a private type has for a protocol is for the tests that name the type",
            "private struct C: Store { func key() { a() } }\n@Test func a() { use(C()) }\n@Test func b() { key() }",
            "private struct C: Store { func key() { b() } }\n@Test func a() { use(C()) }\n@Test func b() { key() }",
            "a()",
            "b()"
        ),
        Change(
            "an XCTest that others call changes them, and the list of tests that older packages have does not",
            "class A: T { static var allTests = [(\"testA\", testA)]\n func testA() { f(1) }\n func testB() { measure { testA() } }\n func testC() {} }",
            "class A: T { static var allTests = [(\"testA\", testA), (\"testD\", testD)]\n func testA() { f(2) }\n func testB() { measure { testA() } }\n func testC() {}\n func testD() {} }",
            "A/testA",
            "A/testB",
            "A/testD"
        ),
        Change(
            "an XCTest does not change one of its name in another class, and lists that name none are as any other code",
            "class A: T { func testA() { f(1) } }\nclass B: T { func testA() {} }\nstruct C { static let allTests = [(\"testA\", 1)]\n @Test(arguments: allTests) func a() {} }",
            "class A: T { func testA() { f(2) } }\nclass B: T { func testA() {} }\nstruct C { static let allTests = [(\"testA\", 2)]\n @Test(arguments: allTests) func a() {} }",
            "A/testA",
            "C/a()"
        ),
        Change(
            "what begins with test in a private extension is no test, and what follows a member such as if is one",
            "class A: T { func testA() { testB() }; static let word = Word.if\n func testC() {} }\nprivate extension A { func testB() { f(1) } }",
            "class A: T { func testA() { testB() }; static let word = Word.if\n func testC() { f(1) } }\nprivate extension A { func testB() { f(2) } }",
            "A/testA",
            "A/testC"
        ),
        Change(
            "an accent that becomes a scalar of its own is a change, and a line break of Windows in a string is none",
            "@Test func a() { f(\"\u{E9}\") }\n@Test func b() { f(\"\"\"\n  c\n  d\n  \"\"\") }",
            "@Test func a() { f(\"e\u{301}\") }\n@Test func b() { f(\"\"\"\r\n  c\r\n  d\r\n  \"\"\") }",
            "a()"
        ),
        Change(
            "what looks like a comment in a regular expression is none",
            "@Test func a() { f(b ? /\\/*$/ : /x/) }\n@Test func c() { f {\n c\n /\\/*/\n } }\n@Test func d() {}",
            "@Test func a() { f(b ? /\\/*$/ : /x/) }\n@Test func c() { f {\n c\n /\\/*/\n } }\n@Test func d() { e() }",
            "d()"
        ),
        Change(
            "a name in a condition is none of the file's",
            "let a1 = if let b1 { b1 } else { 5 }\nlet a2 = if case .b(let b2) = c { b2 } else { 5 }\nlet a3 = if c, let b3 { b3 } else { 5 }\nlet a4 = if case let .b(b4) = c { b4 } else { 5 }\n@Test func a() { a1 + a2 + a3 + a4 }\n@Test func b() { let (b1, b2, b3, b4) = c }",
            "let a1 = if let b1 { b1 } else { 6 }\nlet a2 = if case .b(let b2) = c { b2 } else { 6 }\nlet a3 = if c, let b3 { b3 } else { 6 }\nlet a4 = if case let .b(b4) = c { b4 } else { 6 }\n@Test func a() { a1 + a2 + a3 + a4 }\n@Test func b() { let (b1, b2, b3, b4) = c }",
            "a()"
        ),
        Change(
            "what a generic type has for a protocol is for the tests that name the type",
            "struct C<T: Sendable>: Store { func key() { a() } }\n@Test func a() { use(C(1)) }\n@Test func b() { key() }",
            "struct C<T: Sendable>: Store { func key() { b() } }\n@Test func a() { use(C(1)) }\n@Test func b() { key() }",
            "a()",
            "b()"
        ),
        Change(
            "what a type has for a protocol and another type gets changes the tests that name either",
            "struct A: Store { func key() { a() } }\nstruct B: Store {}\n@Test func a() { use(A()) }\n@Test func b() { use(B()) }",
            "struct A: Store {}\nstruct B: Store { func key() { a() } }\n@Test func a() { use(A()) }\n@Test func b() { use(B()) }",
            "a()",
            "b()"
        ),
        Change(
            "a class that is renamed is changed by its override",
            "class A: Base { override var port: Int { 1 }; func testA() {} }",
            "class B: Base { override var port: Int { 2 }; func testA() {} }",
            "B/testA"
        ),
        Change(
            "a suite that is renamed is changed by what it has for a protocol",
            "struct A: HasPort { var port: Int { 1 }; @Test func a() {} }",
            "struct B: HasPort { var port: Int { 2 }; @Test func a() {} }",
            "B/a()"
        ),
        Change(
            "a value goes on behind #if",
            "struct A { static let c = C()\n#if DEBUG\n.log()\n#endif\n.tries(1)\n@Test func a() { c }; @Test func b() {} }",
            "struct A { static let c = C()\n#if DEBUG\n.log()\n#endif\n.tries(2)\n@Test func a() { c }; @Test func b() {} }",
            "A/a()"
        ),
        Change(
            "a changed helper is not moved, though another one that is gone had its code",
            "struct D { func tries() { a() }; @Test func a() { tries() } }\nstruct E { func tries() { b() } }",
            "struct D { func tries() { b() }; @Test func a() { tries() } }",
            "D/a()"
        ),
        Change(
            "a new helper type in a suite changes no test that does not name it",
            "class D: XCTestCase { func testA() { Out() } }",
            "class D: XCTestCase { struct Clock: P { func tick() {}; typealias Out = Int }\n typealias Time = Int; func testA() { Out() } }"
        ),
        Change(
            "tests use a property wrapper by its attribute",
            "@propertyWrapper struct W { var wrappedValue: Int { 1 }; init(wrappedValue: Int) {} }\nstruct S { @Test func a() { @W var x = 1 }; @Test func b() {} }",
            "@propertyWrapper struct W { var wrappedValue: Int { 2 }; init(wrappedValue: Int) {} }\nstruct S { @Test func a() { @W var x = 1 }; @Test func b() {} }",
            "S/a()"
        ),
        Change(
            "tests use a trait by the name that an extension gives it",
            "struct M: TestTrait { func provideScope() { a() } }\nextension Trait where Self == M { static var mine: Self { Self() } }\n@Test(.mine) func a() {}\n@Test func b() {}",
            "struct M: TestTrait { func provideScope() { b() } }\nextension Trait where Self == M { static var mine: Self { Self() } }\n@Test(.mine) func a() {}\n@Test func b() {}",
            "a()"
        ),
        Change(
            "tests that name a type rely on what others call in it",
            "class H: Handler { func read() { a() } }\nstruct S { @Test func a() { add(H()) }; @Test func b() { H2() } }",
            "class H: Handler { func read() { b() } }\nstruct S { @Test func a() { add(H()) }; @Test func b() { H2() } }",
            "S/a()"
        ),
        Change(
            "tests that name a type rely on what others now call in it",
            "class H: Handler { func read() { a() } }\nstruct S { @Test func a() { add(H()) }; @Test func b() {} }",
            "class H: Handler { func read() { a() }; func visit() {} }\nstruct S { @Test func a() { add(H()) }; @Test func b() {} }",
            "S/a()"
        ),
        Change(
            "a Quick spec is one test",
            "class CartSpec: QuickSpec { override class func spec() { it(\"a\") { b() } } }",
            "class CartSpec: QuickSpec { override class func spec() { it(\"a\") { c() } } }",
            "CartSpec/"
        ),
        Change(
            "braces and quotes in strings and comments are none",
            "struct S { @Test func a() { f(\"}\", #\"\"\"#, #\"\\(x) \\#(y(\"}\"))\"#, /* } /* } */ } */ \"\\\"}\") }\n@Test func b() {} }",
            "struct S { @Test func a() { f(\"}\", #\"\"\"#, #\"\\(x) \\#(y(\"}\"))\"#, /* } /* } */ } */ \"\\\"}\") }\n@Test func b() { c() } }",
            "S/b()"
        ),
        Change(
            "a string of several lines holds no code, but its interpolations do",
            "struct S {\n @Test func a() {\n  f(\"\"\"\n   func testX() { \\(x { \"}\" }) \"\n   }\n  \"\"\")\n }\n func x() {}\n @Test func b() {}\n}",
            "struct S {\n @Test func a() {\n  f(\"\"\"\n   func testX() { \\(x { \"}\" }) \"\n   }\n  \"\"\")\n }\n func x() { y() }\n @Test func b() {}\n}",
            "S/a()"
        ),
        Change(
            "the indentation of a string of several lines is formatting",
            "@Test func a() {\n  f(\"\"\"\n  a\n    b\n  \"\"\")\n}",
            "@Test func a() {\n    f(\n        \"\"\"\n        a\n          b\n        \"\"\"\n    )\n}"
        ),
        Change(
            "regular expressions may hold quotes and braces, and a division is none",
            "struct S {\n @Test func a() { f(/\"{\\/}{/, 1 / 2, #/\"{/}/#); let x = 4 / g(\"a\") / 2 }\n @Test func b() {}\n}",
            "struct S {\n @Test func a() { f(/\"{\\/}{/, 1 / 2, #/\"{/}/#); let x = 4 / g(\"a\") / 2 }\n @Test func b() { c() }\n}",
            "S/b()"
        ),
        Change(
            "two heads of one function are two branches of #if",
            "class A: T {\n #if os(Linux)\n func testA() async {\n #else\n func testA() {\n #endif\n  a()\n }\n func testB() {}\n}\nclass B: T { func testC() {} }",
            "class A: T {\n #if os(Linux)\n func testA() async {\n #else\n func testA() {\n #endif\n  b()\n }\n func testB() {}\n}\nclass B: T { func testC() {} }",
            "A/testA"
        ),
        Change(
            "#if around a test is a part of it",
            "class A: T {\n func testA() {}\n #if os(macOS)\n func testB() {}\n #endif\n #if X\n #else\n func testC() {}\n #endif\n}",
            "class A: T {\n func testA() {}\n func testB() {}\n #if X\n #else\n func testC() {}\n #endif\n}",
            "A/testB"
        ),
        Change(
            "one declaration may have several names, each with a value",
            "let width: D<I, J> = [3, a], height = 4\n@Test func a() { f(height) }\n@Test func b() { f(J.self) }",
            "let width: D<I, J> = [3, a], height = 5\n@Test func a() { f(height) }\n@Test func b() { f(J.self) }",
            "a()"
        ),
        Change(
            "what is used without its name may be used by each test of its file",
            "extension Array { subscript(safe i: Int) -> Element { a() } }\n@Test func a() { x[safe: 0] }\n@Test func b() {}",
            "extension Array { subscript(safe i: Int) -> Element { b() } }\n@Test func a() { x[safe: 0] }\n@Test func b() {}",
            "a()",
            "b()"
        ),
        Change(
            "an extension of an array, a dictionary or an optional is one like others",
            "extension [Int] { var a1: Int { a() } }\nextension [Int: Int] { func a2() { a() } }\nextension Int? { func a3() { a() } }\n@Test func c1() { x.a1 }\n@Test func c2() { x.a2() }\n@Test func c3() { x.a3() }\n@Test func d() {}",
            "extension [Int] { var a1: Int { b() } }\nextension [Int: Int] { func a2() { b() } }\nextension Int? { func a3() { b() } }\n@Test func c1() { x.a1 }\n@Test func c2() { x.a2() }\n@Test func c3() { x.a3() }\n@Test func d() {}",
            "c1()",
            "c2()",
            "c3()"
        ),
        Change(
            "an operator's order is used by whoever writes it, as is its group",
            "precedencegroup A { higherThan: B }\ninfix operator +++: A\n@Test func c() { 1 +++ 2 * 3 }",
            "precedencegroup A { lowerThan: B }\ninfix operator +++: A\n@Test func c() { 1 +++ 2 * 3 }",
            "c()"
        ),
        Change(
            "an attribute may be generic",
            "struct S {\n @Box<[Int: A<(B) -> C>]>(1) private var a = 1\n @Test func c() { a }\n @Test func d() {}\n}",
            "struct S {\n @Box<[Int: A<(B) -> C>]>(2) private var a = 1\n @Test func c() { a }\n @Test func d() {}\n}",
            "S/c()",
            "S/d()"
        ),
        Change(
            "in a string of several lines, what is indented more than its end is a part of it",
            "@Test func a() {\n    f(\"\"\"\n    a\n      b\n    \"\"\")\n}\n@Test func c() {\n    f(#\"\"\"\n      a \\#(x)\n    b\n    \"\"\"#)\n}",
            "@Test func a() {\n    f(\"\"\"\n    a\n    b\n    \"\"\")\n}\n@Test func c() {\n  f(#\"\"\"\n        a \\#(x)\n      b\n      \"\"\"#)\n}",
            "a()"
        ),
        Change(
            "what a property of a test's type computes at first is a part of each of its tests, new, changed or gone",
            "struct A {\n let a = f(1)\n @Test func x() { a }\n @Test func y() {}\n}\nstruct B {\n @Test func z() {}\n}\nstruct C {\n let a = f(1), b = 1\n @Test func z() {}\n}\nstruct D {\n let d = 1\n @Test func z() {}\n @Test func w() { d }\n}",
            "struct A {\n let a = f(2)\n @Test func x() { a }\n @Test func y() {}\n}\nstruct B {\n let a = f(1)\n @Test func z() {}\n}\nstruct C {\n @Test func z() {}\n}\nstruct D {\n let d = 2\n @Test func z() {}\n @Test func w() { d }\n}",
            "A/x()",
            "A/y()",
            "B/z()",
            "C/z()",
            "D/w()"
        ),
        Change(
            "a value is made with the properties of its type, also with one that is new",
            "struct F { let a = 1 }\n@Test func x() { F() }\n@Test func y() { c }",
            "struct F { let a = 1\n let b = make { 1 } }\nstruct G { let c = make() }\n@Test func x() { F() }\n@Test func y() { c }",
            "x()"
        ),
        Change(
            "the wrapper of a property is made for each test",
            "struct A {\n @Test func x() {}\n}\nstruct B {\n @Suffix(1) let a = 1\n @Test func y() {}\n}",
            "struct A {\n @MainActor private @Dir(1) var dir: URL { didSet { f() } }\n @Test func x() {}\n}\nstruct B {\n @MainActor var b: Int\n @Suffix(1) let a = 1\n @Test func y() {}\n}",
            "A/x()"
        ),
        Change(
            "a first value that is no longer computed runs no more with each test",
            "struct A {\n let a = f()\n @Test func x() { a }\n @Test func y() {}\n}",
            "struct A {\n let a = 1\n @Test func x() { a }\n @Test func y() {}\n}",
            "A/x()",
            "A/y()"
        ),
        Change(
            "what computes nothing at first runs with no test",
            "struct A {\n let t = \"a (b)\"\n @Test func x() { t }\n @Test func y() {}\n}",
            "struct A {\n typealias H = (Int) -> Void\n var h: ((Int) -> Void)? = nil\n var p: [(Int, Int)] = []\n let t = \"a (c)\"\n var o = 1 { didSet { f() } }\n static let s = f()\n @Test func x() { t }\n @Test func y() {}\n}",
            "A/x()"
        ),
        Change(
            "a test may be nonisolated(nonsending), and compare #line",
            "struct A {\n @Test nonisolated(nonsending) func a() { f(#line < 5) }\n @Test nonisolated(nonsending) func b() {}\n}",
            "struct A {\n @Test nonisolated(nonsending) func a() { f(#line < 5) }\n @Test nonisolated(nonsending) func b() { g() }\n}",
            "A/b()"
        ),
        Change(
            "a function may have the name of a modifier",
            "let a = try! open(1)\n@Test func y() {}\n@Test func x() { a }",
            "let a = try! open(2)\n@Test func y() {}\n@Test func x() { a }",
            "x()"
        ),
        Change(
            "a function goes on behind one in it, however that is indented",
            "class A: T {\nfunc testA() {\nfunc b() {}\nc()\n}\nfunc testB() {}\n    func testC() {\n\t\tfunc d() {}\n        e()\n    }\n}",
            "class A: T {\nfunc testA() {\nfunc b() {}\nd()\n}\nfunc testB() {}\n    func testC() {\n\t\tfunc d() {}\n        f()\n    }\n}",
            "A/testA",
            "A/testC"
        ),
        Change(
            "a function that seems to have no end ends at the next one",
            "class A: T {\n    func testA() {\n        f { a()\n    }\n    func testB() {}\n    func testC() {}\n}",
            "class A: T {\n    func testA() {\n        f { a()\n    }\n    func testB() { b() }\n    func testC() {}\n}",
            "A/testB"
        ),
        Change(
            "names of tests are found in back quotes, and in types of types",
            "enum A {}",
            "enum A {}\nextension A.B { @Suite final class `C` { @Test func `it fills`() {}; @Test func `a`() {} } }",
            "A/B/C/it fills()",
            "A/B/C/a()"
        ),
        Change(
            "a name in back quotes is the same as without them",
            "func `a`() { x() }\nlet `b` = 1\n@Test func c() { `a`() }\n@Test func d() { f(b) }\n@Test func e() {}",
            "func `a`() { y() }\nlet `b` = 2\n@Test func c() { `a`() }\n@Test func d() { f(b) }\n@Test func e() {}",
            "c()",
            "d()"
        ),
        Change(
            "functions that are no tests are not found",
            "",
            "class A: T { func testA(x: Int) {}; private func testB() {}; static func testC() {}\n func a() { func testD() {} } }\nfunc testE() {}"
        ),
        Change(
            "words that declare nothing here are none",
            "",
            "struct S { let a = f(class: 1, func: 2, init: .init(), let: x.self)\n var actor: Int { actor.x }\n @Test func a() {} }",
            "S/a()"
        ),
        Change(
            "an initializer may be called without the name of its type",
            "struct A { init(max_count: Int) { a() } }\n@Test func b() { use(.init(max_count: 3)) }\n@Test func c() {}\n@Test func d() { A() }",
            "struct A { init(max_count: Int) { b() } }\n@Test func b() { use(.init(max_count: 3)) }\n@Test func c() {}\n@Test func d() { A() }",
            "b()",
            "d()"
        ),
        Change(
            "an initializer without labels may be called by any test",
            "extension A { init(_: Int) { a() } }\n@Test func b() { use([B](3)) }\n@Test func c() { A() }",
            "extension A { init(_: Int) { b() } }\n@Test func b() { use([B](3)) }\n@Test func c() { A() }",
            "b()",
            "c()"
        ),
        Change(
            "an initializer whose labels nobody writes may be called by any test",
            "extension A { init(seed: Int = 3) { a() } }\n@Test func b() { use(.init()) }\n@Test func c() {}",
            "extension A { init(seed: Int = 3) { b() } }\n@Test func b() { use(.init()) }\n@Test func c() {}",
            "b()",
            "c()"
        ),
        Change(
            "a second subscript does not name the first",
            "struct A { subscript(i: Int) -> Int { 1 }; subscript(n: B) -> Int { 1 } }\n@Test func b() { use(a[n]) }",
            "struct A { subscript(i: Int) -> Int { 1 }; subscript(n: B) -> Int { 2 } }\n@Test func b() { use(a[n]) }",
            "b()"
        ),
        Change(
            "what a new type has is not what others have under the same name",
            "struct One { let name = 1 }; class ATests: XCTestCase { func testA() { One().name } }",
            """
            struct One { let name = 1 }; struct Two { let name = 2 }
            class ATests: XCTestCase { func testA() { One().name }; func testB() { Two().name } }
            """,
            "ATests/testB"
        ),
        Change(
            "a new type may hide another of its name",
            "struct One { let name = 1 }; class ATests: XCTestCase { func testA() { One().name } }",
            "struct One { let name = 1 }; class ATests: XCTestCase { func testA() { One().name }; struct One { let name = 2 } }",
            "ATests/testA"
        ),
        Change(
            "a new type may hide one of another file",
            "struct B { let name = 3 }; class ATests: XCTestCase { func testA() { One().name } }",
            "struct B { let name = 3 }; class ATests: XCTestCase { func testA() { One().name }; struct One { let name = 2 } }",
            "ATests/testA"
        ),
        Change(
            "an operator of a new type is for all",
            "func + (a: A, b: A) {}; class ATests: XCTestCase { func testA() { a + b } }",
            "func + (a: A, b: A) {}; class ATests: XCTestCase { func testA() { a + b } }; enum B { static func + (a: C, b: C) {} }",
            "ATests/testA"
        ),
        Change(
            "what a new extension of another file's type has for a protocol was used by no test before",
            "struct S { @Test func a() { use(C()) } }",
            "struct S { @Test func a() { use(C()) }; @Test func b() { C().key() } }\nextension C: P { func key() {} }",
            "S/b()"
        ),
        Change(
            "what a private type has for a protocol may be fileprivate",
            "private struct C: P { fileprivate func key() { a() } }\n@Test func a() { use(C()) }\n@Test func b() { key() }\n@Test func c() {}",
            "private struct C: P { fileprivate func key() { b() } }\n@Test func a() { use(C()) }\n@Test func b() { key() }\n@Test func c() {}",
            "a()",
            "b()"
        ),
        Change(
            "a default is used by whoever makes a value without its type's name",
            "struct C { var name = 1 }\n@Test func a() { use(.init()) }\n@Test func b() { C().name }\n@Test func c() {}",
            "struct C { var name = 2 }\n@Test func a() { use(.init()) }\n@Test func b() { C().name }\n@Test func c() {}",
            "a()",
            "b()"
        ),
        Change(
            "a macro in the next line of a value belongs to its property, too, and what follows .import is a declaration",
            "struct A { static let web = x ??\n #URL(\"a\")\n @Test func c() {}; @Test func a() { A.web }; static let mode = Mode.import\n @Test func b() {} }",
            "struct A { static let web = x ??\n #URL(\"b\")\n @Test func c() {}; @Test func a() { A.web }; static let mode = Mode.import\n @Test func b() { c() } }",
            "A/a()",
            "A/b()"
        ),
        Change(
            "a property may have the name of a modifier, and an attribute follows an operator's declaration",
            "let prefix = 1\nlet key = x + prefix\nlet other = 3\n@Test func a() { key }\n@Test func b() { other }\ninfix operator ?=\n@Test func c() { f(1) }",
            "let prefix = 2\nlet key = x + prefix\nlet other = 3\n@Test func a() { key }\n@Test func b() { other }\ninfix operator ?=\n@Test func c() { f(2) }",
            "a()",
            "c()"
        ),
        Change(
            "names have full-width signs and the like, and a file may begin with a byte order mark",
            "\u{FEFF}extension T { func testＡ！() { f(1) }; func testＡ() {}; func test℃() { f(1) }; func testm²() { f(1) } }",
            "\u{FEFF}extension T { func testＡ！() { f(2) }; func testＡ() {}; func test℃() { f(2) }; func testm²() { f(2) } }",
            "T/testＡ！",
            "T/test℃",
            "T/testm²"
        ),
        Change(
            "each of several cases with values has a name",
            "enum C { case adds(Int), pays(Int) }\n@Test func a() { C.adds(1) }\n@Test func b() { C.pays(1) }\n@Test func c() {}",
            "enum C { case adds(Int), pays(Int8) }\n@Test func a() { C.adds(1) }\n@Test func b() { C.pays(1) }\n@Test func c() {}",
            "a()",
            "b()"
        ),
        Change(
            "each of several cases in as many lines has a name",
            "enum C {\n case one(Int),\n two,\n // after two\n three\n}\n@Test func a() { C.two }\n@Test func b() { C.three }\n@Test func c() { C.four }",
            "enum C {\n case one(Int8),\n two,\n // after two\n three\n}\n@Test func a() { C.two }\n@Test func b() { C.three }\n@Test func c() { C.four }",
            "a()",
            "b()"
        ),
        Change(
            "#if around attributes alone is a part of what they belong to",
            "struct S {\n @Test func a() {}\n #if X\n @Test\n #else\n @Test(.disabled())\n #endif\n func b() {}\n @Test func c() {}\n}",
            "struct S {\n @Test func a() {}\n #if Y\n @Test\n #else\n @Test(.disabled())\n #endif\n func b() {}\n @Test func c() {}\n}",
            "S/b()"
        ),
        Change(
            "#error at the end of #if is no part of what follows",
            "class A: T {\n #if X\n private let x = 1\n #else\n #stop(open: 1)\n #error(\"no\")\n #endif\n func testA() { f(1) }\n func testB() {}\n}",
            "class A: T {\n #if X\n private let x = 1\n #else\n #stop(open: 1)\n #error(\"no\")\n #endif\n func testA() { f(2) }\n func testB() {}\n}",
            "A/testA"
        ),
        Change(
            "a condition of #if may have several lines",
            "struct S {\n #if A ||\n B\n || (\n C\n )\n @Test func a() {}\n #endif\n @Test func b() {}\n}",
            "struct S {\n #if A ||\n B\n || (\n D\n )\n @Test func a() {}\n #endif\n @Test func b() {}\n}",
            "S/a()"
        ),
        Change(
            "a module may be named with two colons",
            "extension Lib::IO { @Testing::Test func a() { Lib::f(1) }; @Test func b() { \"a::b\" }; @Test func c() {} }",
            "extension Lib::IO { @Testing::Test func a() { Lib::f(2) }; @Test func b() { \"a.b\" }; @Test func c() {} }",
            "Lib/IO/a()",
            "Lib/IO/b()"
        ),
        Change(
            "a deinit may be isolated",
            "@MainActor final class A { @Test func a() {}; deinit { f(1) } }\n@Test func b() {}",
            "@MainActor final class A { @Test func a() {}; isolated deinit { f(1) } }\n@Test func b() {}",
            "A/a()"
        ),
        Change(
            "an XCTest may call a helper of its name",
            "class A: T { func testA() { testA(1) }; func testB() { testA(2) }; private func testA(_ n: Int) { f(1) }; func testC() {} }",
            "class A: T { func testA() { testA(1) }; func testB() { testA(2) }; private func testA(_ n: Int) { f(2) }; func testC() {} }",
            "A/testA",
            "A/testB"
        ),
        Change(
            "a value that looks like a modifier, or is a macro, belongs to its property",
            "struct A { static let kind: Kind = .private\n static let home = #URL(\"a\")\n static let web = x ?? #URL(\"a\")\n @Test func a() { A.kind }; @Test func b() { A.home }; @Test func c() { A.web }; @Test func d() {} }",
            "struct A { static let kind: Kind = .public\n static let home = #URL(\"b\")\n static let web = x ?? #URL(\"b\")\n @Test func a() { A.kind }; @Test func b() { A.home }; @Test func c() { A.web }; @Test func d() {} }",
            "A/a()",
            "A/b()",
            "A/c()"
        ),
        Change(
            "what follows a range without an end is a declaration",
            "private let valid = 1...\nfunc help() { f(1) }\n@Test func a() { help() }\n@Test func b() { valid }",
            "private let valid = 1...\nfunc help() { f(2) }\n@Test func a() { help() }\n@Test func b() { valid }",
            "a()"
        ),
        Change(
            "the function that an import names is no declaration",
            "import func Foundation.sqrt\n@Test(arguments: [1]) func a(x: Int) { f(1) }\n@Test func b() {}",
            "import func Foundation.sqrt\n@Test(arguments: [1]) func a(x: Int) { f(2) }\n@Test func b() {}",
            "a(x:)"
        ),
        Change(
            "a static property may have the name of a test",
            "class A: T { static let testUser = C(\"testUser\", 1); func testUser() { Self.testUser }; func testB() { A.testUser }; func testC() {} }",
            "class A: T { static let testUser = C(\"testUser\", 2); func testUser() { Self.testUser }; func testB() { A.testUser }; func testC() {} }",
            "A/testUser",
            "A/testB"
        ),
        Change(
            "wrappedValue is used without its name",
            "@propertyWrapper struct W { var wrappedValue: Int { a() } }\nstruct C { @W var a: Int }\n@Test func a() { W().wrappedValue }\n@Test func b() { C().a }\n@Test func c() {}",
            "@propertyWrapper struct W { var wrappedValue: Int { b() } }\nstruct C { @W var a: Int }\n@Test func a() { W().wrappedValue }\n@Test func b() { C().a }\n@Test func c() {}",
            "a()",
            "b()"
        ),
        Change(
            "the signs of operators beyond ASCII are no part of a name, and those of emoji are",
            "let area = 4; func size() { area }\n@Test func a() { size() }\n@Test func b() { √area }\n@Test func c() { area° }\nlet 😀 = 4\n@Test func d() { 😀 }\n@Test func e() {}",
            "let area = 9; func size() { area }\n@Test func a() { size() }\n@Test func b() { √area }\n@Test func c() { area° }\nlet 😀 = 9\n@Test func d() { 😀 }\n@Test func e() {}",
            "a()",
            "b()",
            "c()",
            "d()"
        ),
        Change(
            "a type is named by Self, too",
            "struct C { let x: Int; init() { x = 1 }; static let usual = Self() }\n@Test func a() { use(.usual) }\n@Test func c() {}",
            "struct C { let x: Int; init() { x = 2 }; static let usual = Self() }\n@Test func a() { use(.usual) }\n@Test func c() {}",
            "a()"
        ),
        Change(
            "a literal may be a call of an initializer that nobody names",
            "struct C: P { init(stringLiteral: String) { a() } }\n@Test func a() { use(\"c\") }",
            "struct C: P { init(stringLiteral: String) { b() } }\n@Test func a() { use(\"c\") }",
            "a()"
        ),
        Change(
            "a type with a macro may have something for a protocol",
            "@Reducer struct C { var body: R { a() } }\n@Test func a() { use(C()) }\n@Test func b() { body }\n@Test func c() {}",
            "@Reducer struct C { var body: R { b() } }\n@Test func a() { use(C()) }\n@Test func b() { body }\n@Test func c() {}",
            "a()",
            "b()"
        ),
        Change(
            "a base class may have what its subclass's protocol asks for",
            "class M { func load() { a() } }\nclass C: M, P {}\n@Test func a() { use(C()) }\n@Test func b() { load() }\n@Test func c() {}",
            "class M { func load() { b() } }\nclass C: M, P {}\n@Test func a() { use(C()) }\n@Test func b() { load() }\n@Test func c() {}",
            "a()",
            "b()"
        ),
        Change(
            "what is wrapped is named with a dollar sign, too",
            "enum C { @TaskLocal static var user = 1 }\n@Test func a() { C.$user }\n@Test func b() { user }\n@Test func c() {}",
            "enum C { @TaskLocal static var user = 2 }\n@Test func a() { C.$user }\n@Test func b() { user }\n@Test func c() {}",
            "a()",
            "b()"
        ),
        Change(
            "the declaration of an initializer, and a call of super's, use no other",
            "struct C { var limit = 1 }\n@Test func a() { use(C()) }\nstruct S { init() {}; @Test func b() {} }\nclass X: XCTestCase { override init() { super.init() }; func testX() {} }",
            "struct C { var limit = 2 }\n@Test func a() { use(C()) }\nstruct S { init() {}; @Test func b() {} }\nclass X: XCTestCase { override init() { super.init() }; func testX() {} }",
            "a()"
        ),
        Change(
            "a subclass may use a subscript of its base class",
            "class Base: XCTestCase { subscript(i: Int) -> Int { 1 }; func testX() {} }\nclass D: Base { func testD() { self[0] } }",
            "class Base: XCTestCase { subscript(i: Int) -> Int { 2 }; func testX() {} }\nclass D: Base { func testD() { self[0] } }",
            "Base/testX",
            "D/testD"
        ),
        Change(
            "any test of the file may use an operator of a suite",
            "struct S { static func + (a: C, b: C) -> C { 1 }; @Test func a() {} }\nstruct T { @Test func t() { x + y } }",
            "struct S { static func + (a: C, b: C) -> C { 2 }; @Test func a() {} }\nstruct T { @Test func t() { x + y } }",
            "S/a()",
            "T/t()"
        ),
        Change(
            "any test of the file may use a new generic operator, if there was another",
            "func == (a: Y, b: Y) -> Bool { true }\n@Test func a() { x == y }",
            "func == (a: Y, b: Y) -> Bool { true }\n@Test func a() { x == y }\nfunc == <T>(a: T, b: T) -> Bool { true }",
            "a()"
        ),
        Change(
            "an operator is not another one that begins with the same sign",
            "func < (a: A, b: A) -> Bool { true }\n@Test func a() { x < y }",
            "func < (a: A, b: A) -> Bool { true }\nfunc <= (a: A, b: A) -> Bool { true }\n@Test func a() { x < y }"
        ),
        Change(
            "a setUp that only other files inherit changes no test of its file",
            "class Base: XCTestCase { override func setUp() { a() } }\nclass B: X { func testB() {} }",
            "class Base: XCTestCase { override func setUp() { b() } }\nclass B: X { func testB() {} }"
        ),
        Change(
            "a new type in a new extension of another file's type was used by no test before",
            "struct S { @Test func a() { use(C()) } }",
            "struct S { @Test func a() { use(C()) } }\nextension C: P { struct Out {} }"
        ),
        Change(
            "a new test that overrides an inherited one changes no other",
            "class A: Base { func testY() {} }",
            "class A: Base { override func testX() {}; func testY() {} }",
            "A/testX"
        ),
        Change(
            "an inherited test may run in the place of one that is gone",
            "class A: Base { override func testX() {}; func testY() {} }",
            "class A: Base { func testY() {} }",
            "A/testY"
        ),
        Change(
            "an initializer that goes to another suite changes the tests of both",
            "struct S { init() { x() }; @Test func a() {} }\nstruct T { @Test func b() {} }",
            "struct S { @Test func a() {} }\nstruct T { init() { x() }; @Test func b() {} }",
            "S/a()",
            "T/b()"
        ),
        Change(
            "an initializer of a type that is gone is new in one that was there",
            "struct Old { init() { x() }; @Test func a() {} }\nstruct S { @Test func b() {} }",
            "struct S { init() { x() }; @Test func b() {} }",
            "S/b()"
        ),
        Change(
            "what a protocol's extension relies on is for the tests that name a type that conforms",
            "func help() -> Int { 1 }\nextension Store { func key() -> Int { help() } }\nstruct Fake: Store {}\n@Test func a() { use(Fake()) }\n@Test func b() { key() }\n@Test func c() {}",
            "func help() -> Int { 2 }\nextension Store { func key() -> Int { help() } }\nstruct Fake: Store {}\n@Test func a() { use(Fake()) }\n@Test func b() { key() }\n@Test func c() {}",
            "a()",
            "b()"
        ),
        Change(
            "a new type and a new function that names it change no test",
            "@Test func a() {}",
            "@Test func a() {}\nstruct N {}\nfunc make() -> N { N() }"
        ),
        Change(
            "a type alias and a static value are for those that name them",
            "struct C { typealias T = Int; static var user = 1; func x() {} }\n@Test func a() { C().x() }\n@Test func b() { C.T() }\n@Test func c() { C.user }",
            "struct C { typealias T = Int8; static var user = 2; func x() {} }\n@Test func a() { C().x() }\n@Test func b() { C.T() }\n@Test func c() { C.user }",
            "b()",
            "c()"
        ),
        Change(
            "the attribute of a suite is no macro",
            "@Suite struct S { func put() { x() }; @Test func a() { put() }; @Test func b() {} }",
            "@Suite struct S { func put() { y() }; @Test func a() { put() }; @Test func b() {} }",
            "S/a()"
        ),
        Change(
            "what is in a new type of a new type hides nothing",
            "class ATests: XCTestCase { func testA() { State().name } }",
            "class ATests: XCTestCase { func testA() { State().name } }; struct B { struct State { let name = 1 } }"
        ),
        Change(
            "a new function may be meant by whoever used another of its name",
            "class ATests: XCTestCase { func testA() { fetch() }; func testB() {} }",
            "class ATests: XCTestCase { func testA() { fetch() }; func testB() {}; private func fetch() { a() } }",
            "ATests/testA"
        ),
        Change(
            "a function that is gone changes whoever uses another of its name",
            "class ATests: XCTestCase { func testA() { fetch(1) }; func testB() {}; func fetch(_: Int) {}; func put() {} }",
            "class ATests: XCTestCase { func testA() { fetch(1) }; func testB() {} }",
            "ATests/testA"
        ),
        Change(
            "an override that is gone changes all tests of its class",
            "class ATests: Base { func testA() {}; override var port: Int { 1 } }\nclass BTests: X { func testB() {} }",
            "class ATests: Base { func testA() {} }\nclass BTests: X { func testB() {} }",
            "ATests/testA"
        ),
        Change(
            "what a type no longer has for a protocol changes the tests that name the type",
            "struct A: P { func key() {} }\nstruct S { @Test func a() { use(A()) }; @Test func b() {} }",
            "struct A: P {}\nstruct S { @Test func a() { use(A()) }; @Test func b() {} }",
            "S/a()"
        ),
        Change(
            "if one of two subscripts is gone, any test may have used it",
            "struct A { subscript(i: Int) -> Int { 1 }; subscript(n: B) -> Int { 1 } }\n@Test func b() { use(a[n]) }",
            "struct A { subscript(i: Int) -> Int { 1 } }\n@Test func b() { use(a[n]) }",
            "b()"
        ),
        Change(
            "a type that is gone changes the tests that use another of its name",
            "struct S { struct Clock {}; @Test func a() { Clock() }; @Test func b() {} }",
            "struct S { @Test func a() { Clock() }; @Test func b() {} }",
            "S/a()"
        ),
        Change(
            "what a new protocol has may be meant by others",
            "class ATests: XCTestCase { func testA() { B().name } }",
            "class ATests: XCTestCase { func testA() { B().name } }; protocol P {}; extension P { var name: Int { 2 } }",
            "ATests/testA"
        ),
        Change(
            "the values in a function are not first values of its type",
            "class ATests: XCTestCase { func testA() {} }",
            """
            class ATests: XCTestCase {
                func testA() {}; func testB() { b() }
                func b() { let a = c() }
            }
            """,
            "ATests/testB"
        ),
        Change(
            "cases in another order have other values",
            "enum L {\n case low\n case high\n}\n@Test func a() { L.low }\n@Test func b() {}",
            "enum L {\n case high\n case low\n}\n@Test func a() { L.low }\n@Test func b() {}",
            "a()"
        ),
        Change(
            "a new case leaves the order of the others",
            "enum L {\n case low\n case high\n}\n@Test func a() { L.low }",
            "enum L {\n case low\n case mid\n case high\n}\n@Test func a() { L.low }"
        ),
        Change(
            "a helper that moves to another suite leaves its name to another one",
            "func make() {}\nstruct A { func make() {}; @Test func a() { make() } }\nstruct B { @Test func b() { make() } }\n@Test func c() {}",
            "func make() {}\nstruct A { @Test func a() { make() } }\nstruct B { func make() {}; @Test func b() { make() } }\n@Test func c() {}",
            "A/a()",
            "B/b()"
        ),
        Change("a file without tests has none", "struct A { func a() {} }", "struct A { func a() { b() } }"),
    ]

    @Test("a change chooses the tests that it may change, and no other", arguments: changes)
    func change(_ change: Change) {
        #expect(Self.changed([(change.old, change.new)]) == change.tests)
        #expect(Self.changed([(change.new, change.new)]).isEmpty)
    }

    @Test("a test that moves to another file or type is the same, and its copy is another")
    func moves() {
        let (from, to) = ("class A: T { func testA() { a() } }", "class B: T { func testA() { a() } }")
        #expect(Self.changed([(from, ""), ("", to)]).isEmpty)
        #expect(Self.changed([(from, from), ("", to)]) == ["B/testA"])
    }

    @Test("a helper that moves to another file with some of its tests, and changes there, changes those alone")
    func movesWithHelper() {
        let (other, test) = ("class A: X { func testA() { other() } }", "class B: X { func testB() { make() } }")
        let file = "private func make() -> C { C(1) }\n"
        let moved = file.replacing("private ", with: "") + test
        #expect(Self.changed([("\(file)\(other)\n\(test)", other), ("", moved)]) == ["B/testB"])
        let shared = "func make() -> C { C(1) }\n\(test)"
        #expect(Self.changed([(shared, ""), ("", shared.replacing("1", with: "2"))]) == ["B/testB"])
        #expect(Self.changed([(shared, ""), ("", shared)]).isEmpty)
    }

    @Test(
        "what an extension newly has for a protocol changes the tests that name its type, which another file declares"
    )
    func newWitness() {
        let tests = "@Test func a() { use(C()) }\n@Test func b() {}\n"
        let type = ("struct C {}", "struct C { let x: Int }")
        #expect(Self.changed([type, (tests, tests + "extension C: Q { func key() {} }")]) == ["a()"])
    }

    @Test("a test of a renamed suite is another test if what is nested there changes", arguments: ["A", "Outer.A"])
    func renamedWithNested(suite: String) {
        let fake = "struct Fake: P { func price() -> Int { 3 } }"
        let test = "@Test func adds() { use(Fake()) }"
        let old = suite == "A" ? "struct A { \(fake); \(test) }" : "struct Outer { \(fake); struct A { \(test) } }"
        let new = old.replacing(suite == "A" ? "A {" : "Outer", with: suite == "A" ? "B {" : "Other")
        #expect(Self.changed([(old, new)]).isEmpty)
        #expect(Self.changed([(old, new.replacing("3", with: "4"))]) == [suite == "A" ? "B/adds()" : "Other/A/adds()"])
    }

    @Test("a trait that is renamed and changes is one of the tests that have it by its name in an extension")
    func renamedTrait() {
        let old = """
            struct Slow: Trait { func provide() { open(1) } }
            extension Trait where Self == Slow { static var slow: Self { Self() } }
            @Test(.slow) func a() {}
            @Test func b() {}
            """
        #expect(Self.changed([(old, old.replacing("Slow", with: "Fast").replacing("1", with: "2"))]).contains("a()"))
    }

    @Test("cases that move to another file, in another order, have other values")
    func movesCases() {
        let (cases, test) = (["case low\n", "case high\n"], "@Test func a() { L.low }")
        let enums = [cases, cases.reversed()].map { "enum L {\n\($0.joined())}\n" }
        #expect(Self.changed([(enums[0] + test, test), ("", enums[0])]).isEmpty)
        #expect(Self.changed([(enums[0] + test, test), ("", enums[1])]) == ["a()"])
    }

    @Test("a test that moves to a type that was there before is another test")
    func movesToOtherType() {
        let (from, to) = ("extension A { func testA() { a() } }", "extension B { func testA() { a() } }")
        #expect(Self.changed([(from, ""), ("", to)]) == ["B/testA"])
        #expect(Self.changed([(from, to)]) == ["B/testA"])
        #expect(Self.changed([(from, ""), ("", from)]).isEmpty)
        #expect(Self.changed([("class A: T {}\n\(from)", "class B: T {}\n\(to)")]).isEmpty)
        let suite = "struct B { @Test func a() {} }"
        #expect(Self.changed([("extension A { \(suite) }", suite)]) == ["B/a()"])
        #expect(Self.changed([("struct A { \(suite) }", "struct C { \(suite) }")]).isEmpty)
    }

    @Test("a test that moves to a type with another fixture is another test")
    func movesToAnotherFixture() {
        let old = "class A: T { var cart = CartV1(); func testAdds() { cart.add() }; func testB() {} }"
        let new = "class B: T { var cart = CartV2(); func testAdds() { cart.add() }; func testB() {} }"
        #expect(Self.changed([(old, ""), ("", new)]) == ["B/testAdds", "B/testB"])
        #expect(Self.changed([(old, ""), ("", old.replacing("A:", with: "B:"))]).isEmpty)
        let (far, near) = ("class A: T { var cart = Slow()", "class B: T { var cart = Fast()")
        let both = "; func add() { cart.add() }"
        let test = "; func testAdds() { add() } }"
        let before = "\(far)\(both)\(test)\n\(near)\(both) }"
        #expect(Self.changed([(before, "\(far)\(both) }\n\(near)\(both)\(test)")]) == ["B/testAdds"])
    }

    @Test("a test that moves to a class that was there before, with another fixture, is another test")
    func movesToAnotherClass() {
        let (slow, fast) = ("class A: T { var cart = Slow()", "class B: T { var cart = Fast()")
        let test = "; func testAdds() { cart.add() } }"
        #expect(Self.changed([("\(slow)\(test)\n\(fast) }", "\(slow) }\n\(fast)\(test)")]) == ["B/testAdds"])
    }

    @Test("a test that moves to a file with another private function of one name is another test")
    func movesToAnotherFile() {
        let helper = "private func make() -> C { C(1) }\n"
        let (from, to) = ("class A: T { func testAdds() { make() } }", "class B: T { func testAdds() { make() } }")
        let other = helper.replacing("1", with: "2")
        #expect(Self.changed([(helper + from, helper), (other, other + to)]) == ["B/testAdds"])
        #expect(Self.changed([(helper + from, ""), ("", helper + to)]).isEmpty)
        let shared = helper.replacing("private ", with: "")
        #expect(Self.changed([(shared + from, shared), ("", to)]).isEmpty)
    }

    @Test("the tests of a type that are in other files are chosen if what runs with each of them changed, or is gone")
    func inOtherFiles() {
        let listed = ["M.A/b()", "M.A/B/`c d`()", "M.Ab/c()", "M.X/testA", "M.Xs/testA"].compactMap(ListedTest.init)
        func tests(_ old: String, _ new: String) -> Set<String> {
            let versions = [old, new].map(SwiftDeclarationParser.declarations)
            let change = FileChange(path: "A.swift", old: versions[0], new: versions[1])
            let tests = FileChange.changedTests(in: [change]).flatMap { test, path in
                NewTest.all(of: test, in: path, after: "", listed: listed, subclasses: [:])
            }
            return Set(tests.map(\.filter))
        }
        let all: Set = [#"^M.A/b\(\)/"#, #"^M.A/B/`c d`\(\)/"#]
        #expect(tests("@Suite(.serialized) enum A {}", "enum A {}") == all)
        #expect(tests("struct A { init() { a() } }", "struct A { init() { b() } }") == all)
        #expect(tests("struct A { let c = a() }", "struct A { let c = b() }") == all)
        #expect(tests("struct A { let c = a() }", "struct A {}") == all)
        #expect(tests("struct A {}", "struct Ab {}") == [])
        #expect(tests("extension A: P { func put() { a() } }", "extension A: P { func put() { b() } }") == all)
        let setUp = "override func setUp() {}"
        #expect(tests("class X: XCTestCase { \(setUp) }", "class X: XCTestCase {}") == ["^M.X/testA$"])
    }

    @Test("the tests that a class inherits are chosen if the class is new, or if what runs with each of them changed")
    func inherited() {
        let base = "class Base: XCTestCase { func testPuts() {} }\n"
        let wide = "class Wide: Base { override func setUp() { a() }; func testWide() {} }"
        let narrow = "class Narrow: Base {}"
        // On Apple's systems, classes of other modules inherit tests, too.
        let listed = [
            "M.Base/testPuts", "M.Base/testGets", "M.Wide/testPuts", "M.Wide/testWide", "N.Narrow/testPuts",
            "N.Narrow/testGets", "N.Base/testGets",
        ]
        func tests(_ old: String, _ new: String) -> Set<String> {
            let (old, new) = (base + old, base + new)
            let change = FileChange(
                path: "Tests/M/A.swift",
                old: SwiftDeclarationParser.declarations(in: old),
                new: SwiftDeclarationParser.declarations(in: new)
            )
            let tests = FileChange.changedTests(in: [change]).flatMap { test, path in
                let subclasses = ["Base": ["Wide", "Narrow"]]
                return NewTest.all(
                    of: test,
                    in: path,
                    after: "",
                    listed: listed.compactMap(ListedTest.init),
                    subclasses: subclasses
                )
            }
            return Set(tests.map { "\($0.module == "M" ? "" : "\($0.module).")\($0.name)" })
        }
        #expect(tests(wide.replacing("a()", with: "b()"), wide) == ["Wide/testPuts", "Wide/testWide"])
        #expect(tests("", wide) == ["Wide/testPuts", "Wide/testWide"])
        #expect(tests(wide, wide + narrow) == ["N.Narrow/testPuts", "N.Narrow/testGets"])
        #expect(tests(narrow.replacing("Narrow", with: "Thin"), narrow).isEmpty)
        #expect(tests("", "extension Base { func testGets() {} }") == ["Base/testGets", "N.Narrow/testGets"])
        let old = "class Old: Base { func testOld() {} }"
        #expect(tests(old, wide.replacing("setUp() { a() }", with: "make() {}")) == ["Wide/testPuts", "Wide/testWide"])
    }

    @Test("a new class passes on a change of its base class, and what no test inherits is no change")
    func newClassBetween() {
        let (old, new) = ("class Base: X { func setUp() { a() } }", "class Base: X { func setUp() { b() } }")
        let (middle, test) = ("class Middle: Base {}\n", "class T: Middle { func testX() {} }")
        let was = "@MainActor \(middle)\(test)"
        #expect(Self.changed([("\(old)\n", "\(new)\n\(middle)\(test)"), (was, "")]) == ["T/testX"])
        let files = FileChange(
            path: "A.swift",
            old: SwiftDeclarationParser.declarations(in: test),
            new: SwiftDeclarationParser.declarations(in: "struct Y { init() {} }\n\(test)")
        )
        #expect(FileChange.changedTests(in: [files]).isEmpty)
    }

    @Test(
        "a test that moves to a type with another head, or out of one, is another test",
        arguments: [
            (
                "@Suite(.serialized) enum All { @Suite struct A { @Test func b() {} } }",
                "@Suite struct A { @Test func b() {} }"
            ),
            ("@Suite(.serialized) struct C { @Test func b() {} }", "@Suite struct A { @Test func b() {} }"),
            ("struct C { init() { x() }; @Test func b() {} }", "struct A { @Test func b() {} }"),
        ]
    )
    func movesToAnotherHead(old: String, new: String) {
        #expect(Self.changed([(old, new)]) == ["A/b()"])
        #expect(Self.changed([(old, ""), ("", new)]) == ["A/b()"])
        #expect(Self.changed([("enum All { \(new) }", ""), ("", new)]).isEmpty)
    }

    @Test("any text can be read")
    func anything() {
        let text = Array(Self.cart)
        for end in text.indices {
            _ = SwiftDeclarationParser.declarations(in: String(text[..<end]))
            _ = SwiftDeclarationParser.declarations(in: String(text[end...]))
        }
        for code in UInt8.min...127 {
            let character = Character(Unicode.Scalar(code))
            for text in [
                "\(character)", "\(character)\(character)", "@Test(#\(character)func init", "\"\\\(character)",
                "#\"\\#\(character)",
            ] {
                _ = SwiftDeclarationParser.declarations(in: text)
            }
        }
    }
}
