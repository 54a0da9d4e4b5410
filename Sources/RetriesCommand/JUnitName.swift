import Foundation
import Groundwork
import RetryReport

/// The name of a test in JUnit files and filters: `Module.Class` and `testName`, or `Module.Suite` and `name()`.
struct JUnitName: Hashable {
    var suite: String
    var name: String
}

extension JUnitName {
    /// - Parameter test: `-[Class test]` for XCTest, `Suite/test()` for Swift Testing.
    init(_ test: String, module: String?) {
        var path: [Substring]
        if test.hasPrefix("-["), test.hasSuffix("]") {
            path = test.dropFirst(2).dropLast().parts(separatedBy: " ", atMost: 2)
        } else {
            path = test[...].parts(separatedBy: "/")
        }
        let name = path.popLast().map(String.init) ?? test
        if let module { path.insert(module[...], at: 0) }
        self.init(suite: path.joined(separator: "."), name: name)
    }

    /// The name of the test that this is a case of, as SwiftPM's file has it: `pays(amount:)` for `pays(amount:) [12]`.
    var withoutArguments: JUnitName {
        // Up to the first closing parenthesis outside of back quotes.
        let own = name.range(of: "^(?:`[^`]*`|[^`)]++)*+\\)(?= )", options: .regularExpression)
        return own.map { JUnitName(suite: suite, name: String(name[$0])) } ?? self
    }
}

extension TestRecord {
    var fullName: String { name.inModule(module) }
    var junitName: JUnitName { JUnitName(name, module: module) }

    /// The expression with which SwiftPM runs it again.
    ///
    /// SwiftPM searches for the expression in the name of a test: `Module.Class/test` for XCTest, and for Swift Testing
    /// `Module.Suite/test()` followed by the test's place. So the first kind ends in `$`, and the other must not. A test with
    /// arguments can be run as a whole only.
    var filter: String {
        if name.hasPrefix("-[") { return Self.escaped("\(junitName.suite)/\(junitName.name)") + "$" }
        let path = JUnitName(suite: "", name: name).withoutArguments.name
        return Self.escaped(module.map { "\($0).\(path)" } ?? path)
    }

    /// A dot stays as it is: it matches itself, and the expression stays readable.
    static func escaped(_ name: String) -> String {
        name.escapingControlCharacters.substituting { scalar in
            "\\^$*+?()[]{}|".unicodeScalars.contains(scalar) ? "\\\(scalar)" : nil
        }
    }
}

extension [TestRecord] {
    /// One expression for all of these; one that no test matches, if there are none.
    var commonFilter: String {
        var seen: Set<String> = []
        let expressions = map(\.filter).filter { seen.insert($0).inserted }
        return expressions.isEmpty ? "^$" : expressions.joined(separator: "|").atLineStart
    }
}

extension Step {
    var fullName: String { test.inModule(module) }
}

extension String {
    /// The name of a test with its module before it, where that is known.
    func inModule(_ module: String?) -> String { module.map { "\($0) \(self)" } ?? self }
}

extension Substring {
    /// The parts of a name, except that separators in back quotes or after a parenthesis do not count.
    func parts(separatedBy separator: Character, atMost count: Int = .max) -> [Substring] {
        var isQuoted = false
        var isInArguments = false
        return split(maxSplits: count - 1, omittingEmptySubsequences: false) { character in
            if character == "`" { isQuoted.toggle() }
            if character == "(", !isQuoted { isInArguments = true }
            return character == separator && !isQuoted && !isInArguments
        }
    }
}
