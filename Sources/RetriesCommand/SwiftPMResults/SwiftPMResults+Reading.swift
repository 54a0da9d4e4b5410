import RetryReport

extension SwiftPMResults {
    /// Reads a file, and the one of Swift Testing that stands beside it: one run of both frameworks has two, and whoever
    /// names the one means the run.
    init(named name: String, in context: CommandContext) throws(ReportFileError) {
        let input = InputFile(name: name, path: context.absolute(name))
        var root = try Self.root(of: input, in: context)
        let other = "\(name.hasSuffix(".xml") ? String(name.dropLast(4)) : name)-swift-testing.xml"
        let file = InputFile(name: other, path: context.absolute(other))
        if !file.isMissing { root.children += try Self.root(of: file, in: context).children }
        self.init(root, file: name, writtenAt: input.writtenAt)
    }

    private static func root(of file: InputFile, in context: CommandContext) throws(ReportFileError) -> XMLTree {
        guard let root = XMLTree(reading: try file.bytes(in: context)), root.name.hasPrefix("testsuite") else {
            let cause = "cannot be read: it is no file of swift test --xunit-output, or not all of one"
            throw ReportFileError(path: file.name, cause: cause)
        }
        return root
    }
}

extension SwiftPMResults.Test {
    init(_ element: XMLTree) {
        name = JUnitName(element)
        duration = element.attributes["time"].flatMap(Double.init) ?? 0
        let failures = element.children.filter { $0.name == "failure" || $0.name == "error" }
        // SwiftPM writes "failure" for any XCTest that failed.
        messages = failures.compactMap { $0.attributes["message"] }.filter { $0 != "failure" }
        let isSkipped = element.children.contains { $0.name == "skipped" }
        outcome = if !failures.isEmpty { .failed } else if isSkipped { .skipped } else { .passed }
    }
}

extension JUnitName {
    /// The name of a test case.
    init(_ element: XMLTree) {
        self.init(suite: element.attributes["classname"] ?? "", name: element.attributes["name"] ?? "")
    }
}
