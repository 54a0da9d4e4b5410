import RetryReport

extension SwiftPMResults {
    /// Reads a file, and the one of Swift Testing that stands beside it: one run of both frameworks has two, and whoever
    /// names the one means the run.
    init(named name: String, in context: CommandContext) throws(ReportFileError) {
        let input = InputFile(name: name, path: context.absolute(name))
        try self.init(try input.bytes(in: context), name: name)
        writtenAt = input.path.flatMap(FileKind.modificationDate)
        let other = (name.hasSuffix(".xml") ? String(name.dropLast(4)) : name) + "-swift-testing.xml"
        let file = InputFile(name: other, path: context.absolute(other))
        if !file.isMissing { tests += try SwiftPMResults(try file.bytes(in: context), name: other).tests }
    }

    /// Every test in a file.
    init(_ bytes: [UInt8], name: String) throws(ReportFileError) {
        self.init(tests: [], file: name)
        do throws(XMLScanner.Problem) {
            var scanner = XMLScanner(bytes)
            var hasSuites = false
            while let tag = try scanner.next() {
                switch tag.name {
                case "testsuite", "testsuites": hasSuites = true
                case "testcase" where !tag.isEnd: tests.append(Test(tag))
                case "failure", "error", "skipped": if !tests.isEmpty { tests[tests.count - 1].add(tag) }
                default: continue
                }
            }
            guard hasSuites else { throw XMLScanner.Problem(description: "there is no <testsuite> in it") }
        } catch {
            throw ReportFileError(path: name, cause: "cannot be read: it is no file of test results: \(error)")
        }
    }
}

extension SwiftPMResults.Test {
    fileprivate init(_ tag: XMLScanner.Tag) {
        let name = JUnitName(suite: tag.attributes["classname"] ?? "", name: tag.attributes["name"] ?? "")
        let duration = Double(tag.attributes["time"] ?? "") ?? 0
        self.init(name: name, outcome: .passed, duration: duration, messages: [])
    }

    /// Takes over what an element in the test case says.
    fileprivate mutating func add(_ tag: XMLScanner.Tag) {
        if tag.name != "skipped" {
            guard !tag.isEnd else { return }
            if outcome == .skipped { messages = [] }
            outcome = .failed
            // SwiftPM writes this for any XCTest that failed.
            if let message = tag.attributes["message"], message != "failure" { messages.append(message) }
        } else if outcome != .failed {
            outcome = .skipped
            messages = [tag.text].filter { !$0.isEmpty }
        }
    }
}
