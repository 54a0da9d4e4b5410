import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// What Surefire's published schema (surefire-test-report.xsd) asks of a file, as far as ours can break it.
final class SurefireRules: NSObject, XMLParserDelegate {
    struct Element: Equatable {
        var name: String
        var attributes: [String: String]
        var children: [Element] = []
        var text = ""

        /// Without white space that says nothing.
        var withoutLayout: Element {
            var element = self
            element.children = children.map(\.withoutLayout)
            element.text = text.trimmingCharacters(in: .whitespacesAndNewlines)
            return element
        }
    }

    /// Elements that a test case may have, in their order, and how often.
    private static let order = [
        "failure", "rerunFailure", "flakyFailure", "skipped", "error", "rerunError", "flakyError", "system-out",
        "system-err",
    ]
    private static let single: Set = ["skipped", "error", "system-out", "system-err"]
    private static let traced: Set = ["rerunFailure", "flakyFailure", "rerunError", "flakyError"]

    private var stack: [Element] = []
    private(set) var root: Element?
    private(set) var violations: [String] = []

    init(_ bytes: [UInt8]) {
        super.init()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = self
        if !parser.parse() {
            violations.append("not XML: \(parser.parserError?.localizedDescription ?? "")")
        }
    }

    /// The test cases, wherever they stand.
    var cases: [Element] { root.map(Self.cases) ?? [] }

    private static func cases(of element: Element) -> [Element] {
        element.name == "testcase" ? [element] : element.children.flatMap(cases)
    }

    /// Checks a file whose root is a suite.
    func check() {
        guard let root, root.name == "testsuite" else { return violations.append("the root is no testsuite") }
        require(["name", "tests", "errors", "skipped", "failures"], of: root, optional: ["time", "group"])
        let names = root.children.map(\.name)
        if names != names.sorted(by: { $0 == "properties" && $1 != "properties" }) {
            violations.append("order of suite")
        }
        let failures = cases.filter { $0.children.contains { $0.name == "failure" } }.count
        let errors = cases.filter { $0.children.contains { $0.name == "error" } }.count
        let totals = [root.attributes["tests"], root.attributes["failures"], root.attributes["errors"]]
        if totals != [cases.count, failures, errors].map(String.init) { violations.append("totals \(totals)") }
        cases.forEach(check)
    }

    private func check(_ test: Element) {
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

    private func require(_ required: Set<String>, of element: Element, optional: Set<String>) {
        let keys = Set(element.attributes.keys)
        if !keys.isSuperset(of: required) || !keys.isSubset(of: required.union(optional)) {
            violations.append("attributes \(keys.sorted()) of \(element.name)")
        }
    }

    // MARK: - Parsing

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        stack.append(Element(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if !stack.isEmpty { stack[stack.count - 1].text += text }
    }

    func parser(_ parser: XMLParser, foundCDATA data: Data) {
        if !stack.isEmpty { stack[stack.count - 1].text += String(decoding: data, as: UTF8.self) }
    }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        guard let element = stack.popLast() else { return }
        if stack.isEmpty { root = element } else { stack[stack.count - 1].children.append(element) }
    }
}
