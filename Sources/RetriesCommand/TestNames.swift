import Foundation
import Groundwork
import RetryReport

/// What JUnit files call a test.
struct JUnitName: Hashable {
    var suite: String
    var name: String

    init(suite: String, name: String) {
        self.suite = suite
        self.name = name
    }

    /// `-[Class test]` of a module is `Module.Class`, `test`; `Suite/test()` is `Module.Suite`, `test()`.
    init(_ test: String, module: String?) {
        var path: [Substring]
        if test.hasPrefix("-["), test.hasSuffix("]") {
            path = test.dropFirst(2).dropLast().parts(separatedBy: " ", atMost: 2)
        } else {
            path = test[...].parts(separatedBy: "/")
        }
        name = path.popLast().map(String.init) ?? test
        if let module { path.insert(module[...], at: 0) }
        suite = path.joined(separator: ".")
    }

    /// The name of the test that this is a case of: `pays(amount:)` of `pays(amount:) [12]`. SwiftPM's file has one test
    /// case for all of them.
    var withoutArguments: JUnitName {
        var isQuoted = false
        let end = name.firstIndex { character in
            if character == "`" { isQuoted.toggle() }
            return character == ")" && !isQuoted
        }
        guard let end, name[end...].hasPrefix(") ") else { return self }
        return JUnitName(suite: suite, name: String(name[...end]))
    }
}

extension Substring {
    /// The parts of a name; what stands in back quotes or follows a parenthesis is not looked into.
    fileprivate func parts(separatedBy separator: Character, atMost count: Int = .max) -> [Substring] {
        var isQuoted = false
        var isInArguments = false
        return split(maxSplits: count - 1, omittingEmptySubsequences: false) { character in
            if character == "`" { isQuoted.toggle() }
            if character == "(", !isQuoted { isInArguments = true }
            return character == separator && !isQuoted && !isInArguments
        }
    }
}

/// How a test is run again with SwiftPM.
///
/// SwiftPM looks for the expression anywhere in the name of a test: `Module.Class/test` for XCTest, and for Swift Testing
/// `Module.Suite/test()` followed by the test's place. So the one ends in `$`, and the other must not. It can run a test with
/// arguments only as a whole.
struct TestFilter: Hashable {
    let expression: String

    /// For a shell.
    var command: String {
        "swift test --filter '\(expression.replacingOccurrences(of: "'", with: "'\\''"))'"
    }

    /// One expression for all of `filters`; one that no test matches, if there are none.
    static func expression(for filters: [TestFilter]) -> String {
        var seen: Set<TestFilter> = []
        let expressions = filters.filter { seen.insert($0).inserted }.map(\.expression)
        return expressions.isEmpty ? "^$" : expressions.joined(separator: "|")
    }
}

extension TestFilter {
    init(_ retry: FlakyTest) {
        let name = JUnitName(retry.name, module: retry.module)
        if retry.name.hasPrefix("-[") {
            self.init(xctest: name)
        } else {
            let path = JUnitName(suite: "", name: retry.name).withoutArguments.name
            self.init(expression: Self.escaped(retry.module.map { "\($0).\(path)" } ?? path))
        }
    }

    init(_ test: SwiftPMResults.Test) {
        guard test.name.name.hasSuffix(")") else {
            self.init(xctest: test.name)
            return
        }
        let suites = test.name.suite.split(separator: ".")
        let path = (suites.dropFirst().map(String.init) + [test.name.name]).joined(separator: "/")
        self.init(expression: Self.escaped("\(suites.first ?? "").\(path)"))
    }

    private init(xctest name: JUnitName) {
        self.init(expression: Self.escaped("\(name.suite)/\(name.name)") + "$")
    }

    /// A dot stays as it is: it matches itself, and the expression can be read.
    private static func escaped(_ name: String) -> String {
        name.escapingControlCharacters.substituting { scalar in
            "\\^$*+?()[]{}|".unicodeScalars.contains(scalar) ? "\\\(scalar)" : nil
        }
    }
}

extension FlakyTest {
    var filter: TestFilter { TestFilter(self) }
}
