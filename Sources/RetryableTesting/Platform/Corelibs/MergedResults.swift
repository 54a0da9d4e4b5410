#if !canImport(ObjectiveC)
    import Groundwork

    /// The file of `--xunit-output` for a run of several processes, as Swift Testing writes it for one.
    struct MergedResults {
        private struct Result {
            var start, end: Double?
            var failures: [String] = []
            var skip: String?
        }

        private var results: [String: Result] = [:]
        /// The failures that are no test's.
        private var others = 0

        mutating func add(_ event: ProcessEvents.Record.Payload) {
            guard let test = event.testID else { return }
            let text = event.messages?.map(\.text).joined(separator: ": ") ?? ""
            switch event.kind {
            case "testStarted": results[test, default: Result()].start = event.instant?.absolute
            case "testEnded": results[test, default: Result()].end = event.instant?.absolute
            case "testSkipped": results[test, default: Result()].skip = text
            case "issueRecorded" where event.issue?.fails != false: fail(text, test)
            default: break
            }
        }

        /// Adds a failure of a test; of the run, if it is `nil`.
        mutating func fail(_ message: String, _ test: String?) {
            guard let test else { return others += 1 }
            results[test, default: Result()].failures.append(message)
        }

        func write(to path: String) {
            let times = results.values.flatMap { [$0.start, $0.end] }.compactMap(\.self)
            let attributes = [
                ("name", "TestResults"), ("errors", "0"), ("tests", "\(results.count)"),
                ("failures", "\(results.values.reduce(others) { $0 + $1.failures.count })"),
                ("skipped", "\(results.values.count { $0.skip != nil })"),
                ("time", "\((times.max() ?? 0) - (times.min() ?? 0))"),
            ]
            let tests = results.sorted { $0.key < $1.key }.map { xml($0, $1) }
            let text = """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites>
                \(element("testsuite", attributes, tests))
                </testsuites>

                """
            do throws(SystemError) {
                try FilePath(path).replace(with: Array(text.utf8), by: "\(path).new")
            } catch {
                log("\(path) cannot be written: \(error)")
            }
        }

        private func xml(_ test: String, _ result: Result) -> String {
            // The module, its suites, the test and the place are divided as in `Module.Suite/test()/File.swift:12:4`; names in
            // back quotes have any text.
            let path = test[..<(test.lastIndex(of: "/") ?? test.endIndex)]
            let names = path.matches(of: #/(`.*?`|[^./])+/#).map(\.0)
            var attributes = [("classname", names.dropLast().joined(separator: ".")), ("name", "\(names.last ?? "")")]
            if let start = result.start, let end = result.end { attributes.append(("time", "\(end - start)")) }
            let failures = result.failures.map { element("failure", [("message", $0)], []) }
            let skip = result.skip.map { [element("skipped", [("message", $0)], [])] } ?? []
            return element("testcase", attributes, failures + skip)
        }

        private func element(_ name: String, _ attributes: [(String, String)], _ content: [String]) -> String {
            let start = "<\(name)" + attributes.map { " \($0)=\"\(escaped($1))\"" }.joined()
            return content.isEmpty ? "\(start) />" : "\(start)>\n\(content.joined(separator: "\n"))\n</\(name)>"
        }

        private func escaped(_ text: String) -> String {
            text.escapingControlCharacters.substituting {
                ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"][$0]
            }
        }
    }
#endif
