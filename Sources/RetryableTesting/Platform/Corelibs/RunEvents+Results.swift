#if !canImport(ObjectiveC)
    import Groundwork

    extension RunEvents {
        /// Writes the file of `--xunit-output`, as Swift Testing does for one process.
        func writeResults(to path: String) {
            let results = results.filter { $1.isOver && !$1.isLeftOut }
            let times = results.values.flatMap { [$0.start, $0.end] }.compactMap(\.self)
            let attributes = [
                ("name", "TestResults"), ("errors", "0"), ("tests", "\(results.count)"),
                ("failures", "\(results.values.reduce(otherFailures) { $0 + $1.failures.count })"),
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
