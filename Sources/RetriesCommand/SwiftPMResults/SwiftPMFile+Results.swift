import RetryReport

extension SwiftPMFile {
    /// Every test in this file.
    func results() throws(ReportFileError) -> SwiftPMResults {
        do throws(XMLScanner.Problem) {
            var scanner = XMLScanner(bytes)
            var run = SwiftPMResults(tests: [], file: name, writtenAt: writtenAt)
            var hasSuites = false
            while let tag = try scanner.next() {
                guard tag.kind != .closing else { continue }
                switch tag.name {
                case "testsuite", "testsuites": hasSuites = true
                case "testcase": run.tests.append(SwiftPMResults.Test(tag))
                case "failure", "error", "skipped":
                    guard !run.tests.isEmpty else { continue }
                    run.tests[run.tests.count - 1].add(tag)
                default: continue
                }
            }
            guard hasSuites else { throw .noSuite }
            return run
        } catch {
            throw unreadable(error)
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
        guard tag.name != "skipped" else {
            if outcome == .passed { outcome = .skipped }
            return
        }
        outcome = .failed
        // SwiftPM writes this for any XCTest that failed.
        if let message = tag.attributes["message"], message != "failure" { messages.append(message) }
    }
}
