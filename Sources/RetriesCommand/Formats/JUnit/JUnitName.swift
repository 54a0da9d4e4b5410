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
