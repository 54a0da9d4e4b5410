#if !canImport(ObjectiveC)
    import Foundation
    import Groundwork
    import RetryCore

    /// The file of `--event-stream-output-path`, which its readers expect of one process.
    ///
    /// Each test is in it once: what it did in a process that ended before it, it does again in the next.
    struct MergedEvents {
        let path: String?
        /// The results of the tests that do not run again.
        private(set) var results: [String: ProcessEvents.Result] = [:]
        /// The number of failures that are no test's.
        private(set) var otherFailures = 0
        private var known: Set<String> = []
        /// The ends of suites, and of the run, of which more processes may follow.
        private var ends: [String: Data.SubSequence] = [:]
        /// The version of the stream, a number or a text.
        private var version: Any = 0

        init(path: String?) { self.path = path }

        /// - Parameter over: The tests that do not run again.
        mutating func write(_ events: ProcessEvents, _ over: Set<String>) {
            let first = events.lines.first.flatMap {
                try? JSONSerialization.jsonObject(with: $0.text) as? [String: Any]
            }
            version = first?["version"] ?? version
            for test in over where results[test] == nil { results[test] = events.results[test] }
            append(
                events.lines.compactMap { record, line in
                    let (kind, test) = (record.payload.kind, record.payload.testID ?? record.payload.id ?? "")
                    let isOfSuite = events.suites.contains(test)
                    if kind == "runEnded" || kind == "testEnded" && isOfSuite {
                        ends[test] = line
                        return nil
                    } else if record.kind == "test" || kind == "runStarted" || kind == "testStarted" && isOfSuite {
                        return known.insert("\(kind) \(test)").inserted ? line : nil
                    }
                    return over.contains(test) || events.results[test]?.start == nil ? line : nil
                }
            )
        }

        /// Adds a failure of a test; of the run, if it is `nil`.
        mutating func fail(_ message: String, _ test: String?) {
            if let test { results[test, default: .init()].failures.append(message) } else { otherFailures += 1 }
            var payload: [String: Any] = ["kind": "issueRecorded", "messages": [["symbol": "fail", "text": message]]]
            payload["instant"] = ["absolute": 0, "since1970": Date().timeIntervalSince1970]
            payload["issue"] = ["isKnown": false, "isFailure": true, "severity": "error"] as [String: Any]
            payload["testID"] = test
            let record: [String: Any] = ["kind": "event", "version": version, "payload": payload]
            append([(try? JSONSerialization.data(withJSONObject: record)) ?? Data()])  // it can always be encoded
        }

        /// Adds the ends of the suites, the inner ones first, and of the run.
        func end() { append(ends.sorted { $0.key > $1.key }.map(\.value)) }

        private func append(_ lines: [Data]) {
            guard let path else { return }
            do throws(SystemError) {
                try Descriptor.withFile(at: path, O_WRONLY | O_APPEND | O_CREAT) { (file) throws(SystemError) in
                    try file.writeAll(lines.flatMap { $0 + [UInt8(ascii: "\n")] })
                }
            } catch {
                log("\(path) cannot be written: \(error)")
            }
        }
    }
#endif
