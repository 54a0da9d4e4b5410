/// A declaration of a file or a type, by which two versions of a file are compared.
struct SwiftDeclaration {
    enum Kind: Hashable {
        case test, xctest
        /// The `spec` of Quick, which makes all tests of its class.
        case quickSpec
        /// What runs with each test of its type, such as `setUp` and `init`.
        case lifecycle
        /// The head of a type, without its name.
        case typeHead
        case helper
    }

    /// What makes two declarations of two versions the same.
    struct Key: Hashable {
        let kind: Kind
        /// The names of the types that it is in; for the head of a type, with its own.
        let path: [String]
        /// The name, of a function with its arguments, such as `finds(_:)`.
        let name: String

        var isOperator: Bool { name.first.map { !$0.isLetter && $0 != "_" } == true }
    }

    let key: Key
    /// The words that others use to name it.
    fileprivate(set) var names: Set<String> = []
    /// The line of its name.
    let line: Int
    /// All its lines, with its attributes.
    fileprivate(set) var lines = 0...0
    /// Whether it is a property whose first value is computed for each value of its type, by a call, a closure or a wrapper.
    fileprivate(set) var computesFirstValue = false
    fileprivate(set) var isCase = false
    /// Whether others may use it who do not name it, because the type that it is in conforms to a protocol or inherits.
    fileprivate(set) var mayBeWitness = false
    /// Whether it is in a protocol, or in an extension of what may be one, so that other types may use it without its name.
    fileprivate(set) var mayBeOfProtocol = false
    /// Whether `#if` is around it or its attributes.
    fileprivate(set) var isConditional = false
    /// The code without spaces, line breaks and comments, after the lines of `#if` around it.
    fileprivate(set) var code = ""
    /// The words in the code and in the conditions of the extension around it.
    fileprivate(set) var words: Set<String> = []

    /// Whether each value of its type begins with what it says.
    var isStoredWithDefault: Bool {
        key.kind == .helper && !key.path.isEmpty && code.prefix { $0 != "{" }.contains(" = ")
            && !key.name.hasSuffix(")") && words.isDisjoint(with: ["static", "lazy", "typealias"])
    }
    var isTest: Bool { [.test, .xctest, .quickSpec].contains(key.kind) }
    /// Whether it is the head of a class that inherits, or runs with each test of one, and so stands for inherited tests, too.
    var isOfInheritingClass: Bool {
        key.kind == .typeHead && code.contains("class :") || key.kind == .lifecycle && words.contains("override")
    }
}

/// Finds the declarations in Swift code by its words and braces.
///
/// Where braces do not match, such as in a regular expression that is taken for two divisions, a function ends at the next
/// declaration of the same indentation.
struct SwiftDeclarationParser {
    private let tokens: [SwiftToken]
    private var index = 0
    private var scopes: [Scope] = []
    /// The scopes at the beginning of each `#if`, with which each of its branches begins, its lines so far, and its place.
    private var conditions: [(scopes: [Scope], text: String, start: Int)] = []
    /// The first of the attributes and modifiers just before this token.
    private var start: Int?
    /// The types that are declared here and are no protocols.
    private var concrete: Set<[String]> = []
    /// The types that conform, here, in an extension or by a macro, and the classes that name one type, which may be a base.
    private var conforming: Set<[String]> = [], inheriting: Set<[String]> = []
    /// The names of what may be base classes of classes that conform, which may have what the protocols ask for.
    private var bases: Set<String> = []
    private var found: [(declaration: SwiftDeclaration, start: Int, end: Int?)] = []

    /// What a pair of braces holds.
    private struct Scope {
        /// The types up to this one; `nil` if it is no type.
        var path: [String]?
        var isFunction = false
        /// Whether it is a class that inherits, or an extension of what may be one.
        var mayHoldXCTests = false
        /// The modifiers of an extension, and the words after `where` in the head of a type.
        var conditions: Set<String> = []
        var line = 0, indentation = -1
    }

    /// The scope of the next brace, if its declaration has been read.
    private var next: Scope?

    static func declarations(in code: String) -> [SwiftDeclaration] {
        var parser = SwiftDeclarationParser(tokens: SwiftTokenizer.tokens(of: code))
        parser.read()
        // The one type that a class of XCTests names is its base, of which it has only overrides.
        let keys = parser.found.map(\.declaration.key)
        parser.inheriting.subtract(keys.filter { [.xctest, .quickSpec].contains($0.kind) }.map(\.path))
        // Older packages list their tests for Linux, as `static var allTests = [("testA", testA)]`. (Quotes stand escaped in `code`.)
        let xctests = Set(keys.filter { $0.kind == .xctest }.map(\.name))
        return parser.found.map(parser.completed).filter { part in
            !part.words.contains("static") || part.key.name.hasSuffix(")")
                || !xctests.subtracting(part.names).contains {
                    part.words.contains($0) && part.code.contains(#"\"\#($0)\""#)
                }
        }
    }

    private static let modifiers: Set<String> = [
        "public", "private", "internal", "fileprivate", "package", "open", "final", "static", "class", "override",
        "nonisolated", "mutating", "nonmutating", "indirect", "convenience", "required", "lazy", "weak", "unowned",
        "dynamic", "optional", "distributed", "consuming", "borrowing", "__consuming", "isolated", "prefix", "postfix",
        "infix",
    ]
    private static let types: Set<String> = ["class", "struct", "enum", "actor", "extension", "protocol"]
    private static let lifecycle: Set<String> = [
        "setUp", "setUpWithError", "tearDown", "tearDownWithError", "init", "deinit", "invokeTest", "provideScope",
    ]

    private mutating func read() {
        while index < tokens.count {
            let token = tokens[index]
            switch token.text {
            case "#if", "#elseif", "#else", "#endif": readDirective(token)
            case "{":
                if next?.path != nil { end() }
                scopes.append(next ?? Scope(line: token.line))
                (next, start) = (nil, nil)
            case "}":
                let scope = scopes.popLast()
                if scope?.isFunction == true { end(at: index + 1) } else if scope?.path != nil { end() }
                (next, start) = (nil, nil)
            case _ where isModifier:
                start = start ?? index
                if token.text.hasPrefix("@"), text(1) == "<" { skipGenerics() }
                if text(1) == "(" { index = closing(index + 1) ?? index }
            default:
                if !isInExpression { readDeclaration(token) }
                start = nil
            }
            index += 1
        }
    }

    private func text(_ offset: Int = 0) -> String {
        tokens.indices.contains(index + offset) ? tokens[index + offset].text : ""
    }

    /// The place of the parenthesis that closes the one at `index`.
    private func closing(_ index: Int) -> Int? {
        tokens[index...].firstIndex { $0.nesting < tokens[index].nesting }
    }

    /// Goes to the end of what stands in angle brackets behind an attribute.
    private mutating func skipGenerics() {
        var depth = 0
        repeat {
            index += 1
            depth += text() == "<" ? 1 : text() == ">" && text(-1) != "-" ? -1 : 0
        } while depth > 0 && index < tokens.count
    }

    /// Begins each branch of `#if` with the scopes before it, because two branches may each have the head of one function.
    private mutating func readDirective(_ token: SwiftToken) {
        // A condition may go on in further lines, in parentheses, or before or behind `||`.
        let lineEnd = tokens.indices[(index + 1)...].first { place in
            tokens[place].indentation != nil && tokens[place - 1].nesting <= token.nesting
                && ![place - 1, place].contains { ["|", "&"].contains(tokens[$0].text) }
        }
        let line = tokens[index..<(lineEnd ?? tokens.count)]
        // A value may go on: `Client()`, `#if DEBUG`, `.log()`, `#endif`.
        if isInType, tokens[line.endIndex...].first?.text != "." { end() }
        var branch = (scopes: scopes, text: "", start: index)
        if token.text != "#if" { branch = conditions.popLast() ?? branch }
        if token.text == "#endif" {
            // Attributes alone belong to the declaration that follows. A macro before it, such as `#error`, does not.
            let isOfNext = tokens[(start ?? index)..<index].contains {
                $0.nesting == token.nesting && ($0.text.hasPrefix("@") || Self.modifiers.contains($0.text))
            }
            start = isOfNext ? min(start ?? index, branch.start) : nil
        } else {
            if scopes.count > branch.scopes.count { end() }
            scopes = branch.scopes
            branch.text += line.map(\.text).joined(separator: " ") + "\n"
            conditions.append(branch)
        }
        index = line.endIndex - 1
    }

    // MARK: - Declarations

    /// Whether declarations found here are those of a type or of the file.
    private var isInType: Bool { scopes.allSatisfy { $0.path != nil } }
    /// Whether a word is a label, a member's name, what is imported, or part of a condition, such as that of
    /// `let limit = if let own { own } else { 5 }`.
    private var isInExpression: Bool {
        let isBehindKeyword = ["if", "case", "import"].contains(text(-1)) && text(-2) != "."
        return text(1) == ":" || isBehindKeyword || isMember || ["(", ","].contains(text(-1))
    }
    /// Whether a dot is before it that is not the last one of a range, as in `1...`.
    private var isMember: Bool { text(-1) == "." && text(-2) != "." }
    /// Whether it may belong to the declaration that follows: an attribute, a modifier, or a macro at the beginning of a line. A value,
    /// such as `.open` or `#URL("…")`, belongs to the declaration before it.
    private var isModifier: Bool {
        let token = tokens[index]
        guard token.indentation != nil || start != nil || ["{", "}", ";"].contains(text(-1)) else {
            return false
        }
        let isBehindOperator =
            ["=", "+", "-", "*", "/", "&", "|", ":", ","].contains(text(-1)) || text(-1) + text(-2) == "??"
        if token.isMarked { return token.text.hasPrefix("@") || !isBehindOperator }
        return Self.modifiers.contains(token.text) && !isTypeHead && !isCall
    }
    /// Whether a modifier is the name of a function: `open(path)`, and not `private(set)`.
    private var isCall: Bool { text(1) == "(" && !["set", "safe", "unsafe", "nonsending"].contains(text(2)) }

    private var isTypeHead: Bool {
        guard Self.types.contains(text()), tokens.indices.contains(index + 1) else { return false }
        guard tokens[index + 1].isWord else { return text() == "extension" }
        var offset = 2
        while text(offset) == "." { offset += 2 }
        return ["{", ":", "<", "?", "where"].contains(text(offset))
    }

    private mutating func readDeclaration(_ token: SwiftToken) {
        let isType = isTypeHead
        if isType || token.text == "func" { closeFunction(before: tokens[start ?? index]) }
        guard isInType else { return }
        switch token.text {
        case _ where isType: readTypeHead()
        case "func", "init", "deinit", "subscript": readFunctionHead()
        case "let", "var", "case", "typealias", "associatedtype", "macro", "operator", "precedencegroup": readNames()
        case "import": end()
        default: break
        }
    }

    /// Where braces do not match, ends a function that should have ended, because the declaration that follows is not indented
    /// more than it.
    private mutating func closeFunction(before token: SwiftToken) {
        guard tokens.last?.nesting != 0, let indentation = token.indentation,
            let outer = scopes.firstIndex(where: { $0.path == nil }), scopes[outer].line < token.line,
            indentation <= scopes[outer].indentation
        else { return }
        scopes.removeSubrange(outer...)
        end()
    }

    private var path: [String] { scopes.last?.path ?? [] }

    /// Ends the last declaration, if it is open.
    private mutating func end(at end: Int? = nil) {
        guard let last = found.indices.last, found[last].end == nil else { return }
        found[last].end = end ?? start ?? index
    }

    /// Adds the declaration that begins here, and ends the last one.
    private mutating func add(_ key: SwiftDeclaration.Key, names: Set<String> = []) {
        end()
        let line = tokens[index].line
        var declaration = SwiftDeclaration(key: key, names: names, line: line)
        declaration.words = scopes.last?.conditions ?? []
        declaration.code = (conditions.map(\.text) + declaration.words.sorted()).joined(separator: " ")
        found.append((declaration, start ?? index, nil))
        next = Scope(line: line, indentation: tokens[start ?? index].indentation ?? 0)
    }

    private mutating func readTypeHead() {
        let head = tokens[(index + 1)...].prefix { $0.text != "{" }
        // The name may have parts: `extension Outer.Inner`, `extension [Int]`.
        let parts = head.prefix { ![":", "<", "where"].contains($0.text) }.map(\.text).filter { $0 != "." }
        let path = path + parts.map(\.unquoted)
        if text() == "extension" {
            end()
        } else {
            add(.init(kind: .typeHead, path: path, name: ""), names: Set(path.suffix(1)))
        }
        // A `private extension` makes what is in it private.
        let modifiers = tokens[(start ?? index)..<index].map(\.text).filter(Self.modifiers.contains)
        let words = (text() == "extension" ? modifiers : []) + head.drop { $0.text != "where" }.flatMap(\.names)
        let inherits = head.contains { $0.text == ":" }
        let types = typesNamed(in: head)
        let mayInherit = text() == "class" && types.count == 1
        let hasMacro = tokens[(start ?? index)..<index].contains(where: \.isOwnAttribute)
        if mayInherit { inheriting.insert(path) } else if !types.isEmpty || hasMacro { conforming.insert(path) }
        if text() == "class", types.count > 1 { bases.insert(types[0]) }
        if !["extension", "protocol"].contains(text()) { concrete.insert(path) }
        let mayHoldXCTests = text() == "extension" || text() == "class" && inherits
        next = Scope(path: path, mayHoldXCTests: mayHoldXCTests, conditions: Set(words))
        index = head.endIndex - 1
    }

    /// The types that the head of a type names behind its colon, without those that ask for nothing.
    private func typesNamed(in head: ArraySlice<SwiftToken>) -> [String] {
        var (depth, list) = (0, [SwiftToken]())
        for token in head.prefix(while: { $0.text != "where" }) where !token.isMarked && token.text != "nonisolated" {
            if depth == 0 { list.append(token) }
            depth += token.text == "<" ? 1 : token.text == ">" ? -1 : 0
        }
        list.removeFirst(list.firstIndex { $0.text == ":" } ?? list.count)
        let named = zip(list, list.dropFirst()).filter { [":", ",", "&"].contains($0.text) && $1.isWord }
        return named.map(\.1.text).filter { !["Sendable", "BitwiseCopyable"].contains($0) }
    }

    private mutating func readFunctionHead() {
        let head = Set(tokens[(start ?? index)...index].map(\.text))
        var signs = tokens[(index + 1)...].prefix { !$0.isWord && $0.text != "(" }
        // The last sign of `==<T>(` begins its generic parameters.
        if signs.endIndex < tokens.count, tokens[signs.endIndex].isWord { signs = signs.dropLast() }
        let sign = signs.map(\.text).joined()
        let name = text() != "func" ? text() : sign.isEmpty ? text(1).unquoted : sign
        let parenthesis = tokens[index...].firstIndex { ["(", "{", "}"].contains($0.text) } ?? index
        let last = tokens[parenthesis].text == "(" ? closing(parenthesis) ?? index : index
        let arguments = labels(parenthesis, last).map { "\($0):" }.joined()
        let fullName = "\(name)(\(arguments))"
        let modifiers = head.union(scopes.last?.conditions ?? [])
        let isOwn =
            !path.isEmpty && arguments.isEmpty && modifiers.isDisjoint(with: ["private", "fileprivate", "static"])
        if !head.isDisjoint(with: ["@Test", "@Testing.Test"]) {
            add(.init(kind: .test, path: path, name: fullName))
        } else if name.hasPrefix("test"), isOwn, !head.contains("class"), mayBeXCTest(after: last) {
            add(.init(kind: .xctest, path: path, name: name), names: [name])
        } else if name == "spec", isOwn, head.contains("override") {
            add(.init(kind: .quickSpec, path: path, name: ""))
        } else if Self.lifecycle.contains(name), !path.isEmpty {
            add(.init(kind: .lifecycle, path: path, name: fullName))
        } else {
            add(.init(kind: .helper, path: path, name: fullName), names: [name])
        }
        next?.isFunction = true
        index = last
    }

    /// Whether XCTest may run a function of this scope whose arguments end at `last`: one that returns nothing and is not generic.
    private func mayBeXCTest(after last: Int) -> Bool {
        let result = tokens[(last + 1)...].prefix { !"{}".contains($0.text) }.drop { $0.text != "-" }.dropFirst(2)
        let returnsNothing = ["", "()", "Void", "Swift.Void"].contains(result.map(\.text).joined())
        return scopes.last?.mayHoldXCTests == true && returnsNothing && text(2) != "<"
    }

    /// The argument labels between two parentheses.
    private func labels(_ first: Int, _ last: Int) -> [String] {
        var labels: [String] = []
        for position in first..<max(first, last - 1) where tokens[position].nesting == tokens[first].nesting {
            guard ["(", ","].contains(tokens[position].text) else { continue }
            let words = tokens[(position + 1)..<last].drop(while: \.isMarked).prefix(while: \.isWord)
            let isLabeled = 1...2 ~= words.count && tokens[words.endIndex].text == ":"
            if isLabeled, let label = words.first { labels.append(label.text.unquoted) }
        }
        return labels
    }

    /// Reads the names of properties or cases: the words up to a type, a value or a brace.
    private mutating func readNames() {
        let words = tokens[(index + 1)...].enumerated().prefix { offset, token in
            token.isWord && (offset == 0 || token.indentation == nil) || token.text == "," || token.text == ")"
                || token.text == "(" && offset == 0
        }
        let names = words.flatMap(\.element.names)
        add(.init(kind: .helper, path: path, name: names.joined(separator: ",")), names: Set(names))
    }

    private func completed(_ part: (declaration: SwiftDeclaration, start: Int, end: Int?)) -> SwiftDeclaration {
        var declaration = part.declaration
        let all = tokens[part.start..<max(part.start, part.end ?? tokens.count)]
        let own = all.filter { declaration.key.kind != .typeHead || $0.text.unquoted != declaration.key.path.last }
        declaration.lines = tokens[part.start].line...(all.last ?? tokens[part.start]).line
        let (path, isHead) = (declaration.key.path, declaration.key.kind == .typeHead)
        declaration.code += own.map(\.text).joined(separator: " ")
        // Of `init`, only `.init` is a use, and `self.init` and `super.init` are none of another type's.
        let used = own.indices.filter { place in
            let (word, before) = (own[place].text, own[..<place].suffix(2).map(\.text))
            if word == "init" { return before.last == "." && before.first != "self" && before.first != "super" }
            return !declaration.isTest || before.last != "func" || !declaration.names.contains(word.unquoted)
        }
        declaration.words.formUnion(used.flatMap { own[$0].names })
        if declaration.words.contains("Self") { declaration.words.formUnion(path.suffix(1)) }
        let type = isHead ? path.dropLast() : path
        // `private(set)` says nothing of the getter.
        let head = all.prefix { $0.text != "{" }
        declaration.isConditional = part.declaration.code.hasPrefix("#if") || head.contains { $0.text == "#if" }
        let modifiers = zip(head, head.dropFirst()).filter { $1.text != "(" }.map(\.0.text)
        let isPrivate = !part.declaration.words.union(modifiers).isDisjoint(with: ["private", "fileprivate"])
        let isBase = type.last.map(bases.contains) == true
        let isOfType = conforming.contains(type) || inheriting.contains(type) || isBase
        // One of a private type may be fileprivate.
        declaration.mayBeWitness = modifiers.contains("override") || isOfType && !modifiers.contains("private")
        // `[Int]` and `Int?` are none.
        let mayBeProtocol = !concrete.contains(type) && !type.isEmpty && Set(type).isDisjoint(with: ["[", "?"])
        declaration.mayBeOfProtocol = mayBeProtocol && !isPrivate
        if declaration.key.kind == .helper, !declaration.key.name.hasSuffix(")") {
            declaration.computesFirstValue = !declaration.key.path.isEmpty && computesFirstValue(all)
            declaration.isCase = all.first { ["let", "var", "case", "typealias"].contains($0.text) }?.text == "case"
            declaration.names.formUnion(namesAfterCommas(all, isCase: declaration.isCase))
        }
        return declaration
    }

    private func computesFirstValue(_ declaration: ArraySlice<SwiftToken>) -> Bool {
        guard let start = declaration.firstIndex(where: { ["let", "var"].contains($0.text) }) else { return false }
        let (head, nesting) = (declaration[..<start], tokens[start].nesting)
        if head.contains(where: { ["static", "lazy", "class"].contains($0.text) }) { return false }
        let observers = declaration.indices.first { index in
            tokens[index].text == "{" && tokens[index].nesting == nesting + 1 && declaration.indices.contains(index + 1)
                && ["didSet", "willSet"].contains(tokens[index + 1].text)
        }
        let stored = declaration[start..<(observers ?? declaration.endIndex)]
        let value = stored.drop { $0.text != "=" || $0.nesting != nesting }
        let isWrapped = head.contains(where: \.isOwnAttribute) && !stored.contains { $0.text == "{" }
        return isWrapped || value.contains { ["(", "{"].contains($0.text) }
    }

    /// The names after the first value, as in `let width = 3, height = 4` and `case adds(Int), pays(Int)`.
    private func namesAfterCommas(_ declaration: ArraySlice<SwiftToken>, isCase: Bool) -> [String] {
        let nesting = tokens[declaration.startIndex].nesting
        let commas = declaration.indices.dropLast(isCase ? 1 : 2).filter { position in
            let token = tokens[position]
            return token.nesting == nesting && token.text == ","
                && (isCase || ["=", ":", "("].contains(tokens[position + 2].text))
        }
        return commas.flatMap { tokens[$0 + 1].names }
    }
}
