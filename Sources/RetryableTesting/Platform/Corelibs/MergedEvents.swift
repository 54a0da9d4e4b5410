#if !canImport(ObjectiveC)
    import Foundation
    import Groundwork
    import RetryCore

    /// The stream of `--event-stream-output-path`, which its readers expect of one process.
    ///
    /// Events are passed on as they come. What a test did in a process that ended before it, it does again in the next; but here it
    /// begins and ends once.
    struct MergedEvents {
        private var file: Descriptor?
        private var known: Set<String> = []
        /// The suites; the run is "".
        private var suites: Set<String> = [""]
        /// What has begun in any process, and not ended.
        private var open: Set<String> = []
        /// The ends of suites and of the run, which other processes may go on with.
        private var ends: [String: Data] = [:]
        /// The first record. Others get its version from it, which is a number or a text.
        private var first: [String: Any] = [:]

        init(path: String?) {
            guard let path else { return }
            let number = Groundwork.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
            if number < 0 {
                log("\(path) cannot be written: \(SystemError.last)")
            } else {
                file = .init(number: number)
            }
        }

        mutating func add(_ record: ProcessEvents.Record, _ line: Data) {
            let (kind, test) = (record.payload.kind, record.payload.testID ?? record.payload.id ?? "")
            if first.isEmpty { first = (try? JSONSerialization.jsonObject(with: line) as? [String: Any]) ?? [:] }
            switch kind {
            case _ where record.kind == "test":
                if kind == "suite" { suites.insert(test) }
                guard known.insert(test).inserted else { return }
            case "runStarted", "testStarted":
                guard open.insert(test).inserted else { return }
            case "runEnded", "testEnded":
                guard !suites.contains(test) else { return ends[test] = line }
                open.remove(test)
            default: break
            }
            write(line)
        }

        /// Adds a failure of a test, which ends with it; of the run, if it is `nil`.
        mutating func fail(_ message: String, _ test: String?) {
            let issue: [String: Any] = ["isKnown": false, "isFailure": true, "severity": "error"]
            write(record("issueRecorded", test, ["issue": issue], [["symbol": "fail", "text": message]]))
            if let test, open.remove(test) != nil { write(record("testEnded", test)) }
        }

        /// Adds the ends of the suites, the inner ones first, and of the run.
        mutating func end() {
            for suite in open.intersection(suites).sorted(by: >) {
                write(ends[suite] ?? (suite.isEmpty ? record("runEnded", nil) : record("testEnded", suite)))
            }
        }

        private func record(
            _ kind: String,
            _ test: String?,
            _ more: [String: Any] = [:],
            _ messages: [[String: String]] = []
        ) -> Data {
            let instant = ["absolute": ProcessInfo.processInfo.systemUptime, "since1970": Date().timeIntervalSince1970]
            var payload: [String: Any] = ["kind": kind, "instant": instant, "messages": messages].merging(more) { $1 }
            payload["testID"] = test
            let record = first.merging(["kind": "event", "payload": payload]) { $1 }
            return (try? JSONSerialization.data(withJSONObject: record)) ?? Data()  // it can always be encoded
        }

        private mutating func write(_ line: Data) {
            do throws(SystemError) {
                try file?.writeAll(line + [UInt8(ascii: "\n")])
            } catch {
                log("the event stream cannot be written: \(error)")
                file = nil
            }
        }
    }
#endif
