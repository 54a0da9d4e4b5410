import Foundation

@testable import RetriesCommand

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The rules of Surefire's published schema (surefire-test-report.xsd) that our files could break.
struct SurefireRules {
    /// The elements of a test case, in their order.
    private static let order = [
        "failure", "rerunFailure", "flakyFailure", "skipped", "error", "rerunError", "flakyError", "system-out",
        "system-err",
    ]
    private static let single: Set = ["skipped", "error", "system-out", "system-err"]
    private static let traced: Set = ["rerunFailure", "flakyFailure", "rerunError", "flakyError"]

    let root: XMLTree?
    private(set) var violations: [String] = []

    init(_ bytes: [UInt8]) {
        // The command's own reader mends what is no XML.
        let parser = XMLParser(data: Data(bytes))
        if !parser.parse() { violations.append("not XML: \(parser.parserError?.localizedDescription ?? "")") }
        root = XMLTree(reading: bytes)
    }

    /// The test cases, wherever they stand.
    var cases: [XMLTree] { root?.all("testcase") ?? [] }
    /// The names of the elements in each test case.
    var elements: [[String]] { cases.map { $0.children.map(\.name) } }

    /// Checks a file whose root is a suite.
    mutating func check() {
        guard let root, root.name == "testsuite" else { return violations.append("the root is no testsuite") }
        require(["name", "tests", "errors", "skipped", "failures"], of: root, optional: ["time", "group"])
        let names = root.children.map(\.name)
        if names != names.sorted(by: { $0 == "properties" && $1 != "properties" }) {
            violations.append("order of suite")
        }
        let counts = [cases.count] + ["failure", "error"].map { name in elements.count { $0.contains(name) } }
        let totals = [root.attributes["tests"], root.attributes["failures"], root.attributes["errors"]]
        if totals != counts.map(String.init) { violations.append("totals \(totals)") }
        for test in cases { check(test) }
    }

    private mutating func check(_ test: XMLTree) {
        require(["name", "time"], of: test, optional: ["classname", "group"])
        let time = test.attributes["time"] ?? ""
        if time.range(of: #"^[0-9]*(\.[0-9]{0,3})?$"#, options: .regularExpression) == nil {
            violations.append("time \(time)")
        }
        let ranks = test.children.compactMap { Self.order.firstIndex(of: $0.name) }
        if ranks.count != test.children.count || ranks != ranks.sorted() {
            violations.append("children \(test.children.map(\.name))")
        }
        for name in Self.single where test.children.filter({ $0.name == name }).count > 1 {
            violations.append("more than one \(name)")
        }
        for child in test.children where !child.name.hasPrefix("s") {
            require(["type"], of: child, optional: ["message"])
            let isTraced = Self.traced.contains(child.name)
            if child.children.map(\.name) != (isTraced ? ["stackTrace"] : []) { violations.append("in \(child.name)") }
        }
    }

    private mutating func require(_ required: Set<String>, of element: XMLTree, optional: Set<String>) {
        let keys = Set(element.attributes.keys)
        if !keys.isSuperset(of: required) || !keys.isSubset(of: required.union(optional)) {
            violations.append("attributes \(keys.sorted()) of \(element.name)")
        }
    }
}
