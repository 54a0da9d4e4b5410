#if !canImport(ObjectiveC)
    import Foundation
    import Groundwork
    import RetryCore

    /// The tests of a run, as the event streams of its processes name them, and how far they came.
    ///
    /// Passes the events on, as they come, to the stream of `--event-stream-output-path`, whose readers expect one process. What a
    /// test did in a process that ended before it, it does again in the next; but there it begins and ends once.
    struct RunEvents {
        /// The file to which a process writes its events.
        let file: Descriptor
        /// The tests, in their order; without suites.
        private(set) var tests: [String] = []
        /// The suites; the run is "".
        private var suites: Set<String> = [""]
        /// Those that any process has skipped. The stream tells each once.
        private var skippedSuites: Set<String> = []
        /// What is known of each test.
        private(set) var results: [String: Result] = [:]
        /// The number of failures that are no test's.
        private(set) var otherFailures = 0
        /// Something has failed, or cannot be read.
        private(set) var hasFailure = false

        struct Result {
            var start, end: Double?
            var skip: String?
            var failures: [String] = []
            /// Its suite has ended without it.
            var isLeftOut = false

            /// It does not run again.
            var isOver: Bool { end != nil || skip != nil || !failures.isEmpty || isLeftOut }
        }

        // The process that runs, or that has ended last: its tests that have begun, its suites that have ended, the number of bytes
        // that have been read, and the beginning of a line that has not.
        private(set) var started: Set<String> = []
        private var overSuites: Set<String> = []
        private(set) var length = 0
        private var rest: [UInt8] = []

        private var stream: Descriptor?
        /// What has begun in the stream and not ended. A suite may have ended in one process and go on in the next; its last end is
        /// kept.
        private var open: [String: Data?] = [:]
        /// The first record. Others get its version from it, which is a number or a text.
        private var first: [String: Any] = [:]

        /// - Parameter path: The stream's; `nil` if there is to be none.
        init(passedOnTo path: String?) throws(SystemError) {
            file = try .unnamed()
            guard let path else { return }
            let number = Groundwork.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o666)
            if number < 0 {
                log("\(path) cannot be written: \(SystemError.last)")
            } else {
                stream = Descriptor(number: number)
            }
        }

        func isOver(_ test: String) -> Bool { results[test]?.isOver == true }

        var over: Set<String> { Set(tests.filter(isOver)) }

        /// The tests that have begun in the process, and not ended.
        var running: Set<String> { started.filter { results[$0]?.end == nil } }

        /// Tests of a suite ran and none is left, but the process has not come to the suite's end. Since 6.4,
        /// Swift Testing announces that end before the traits' code after the tests has run, so an open suite may be cut off, too.
        func isCutOff(_ suite: String, isOpen: Bool) -> Bool {
            (isOpen || !overSuites.contains(suite)) && started.contains { $0.hasPrefix("\(suite)/") }
                && tests.allSatisfy { isOver($0) || !$0.hasPrefix("\(suite)/") }
        }

        /// Swift Testing has come to the end of its run in the process.
        var isWhole: Bool { overSuites.contains("") }

        private func suitesAround(_ test: String) -> [String] {
            test.indices.filter { test[$0] == "/" }.map { String(test[..<$0]) }.filter(suites.contains)
        }

        // MARK: - Reading

        mutating func beginProcess() throws(SystemError) {
            try file.replaceAll(with: [])
            (started, overSuites, length, rest) = ([], [], 0, [])
        }

        /// Reads what the process has written since the last time.
        ///
        /// - Parameters:
        ///   - end: What follows in the file does not count.
        ///   - isLast: The process has ended, perhaps in the middle of a line.
        mutating func read(upTo end: Int?, isLast: Bool = false) throws(SystemError) {
            guard isLast || file.size > length else { return }
            let bytes = try file.readAll().prefix(max(0, (end ?? .max) - length))
            length += bytes.count
            var lines = (rest + bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = Array(lines.removeLast())
            for line in lines where !line.isEmpty && !take(Data(line)) {
                hasFailure = true  // it may be a failure
                let text = String(decoding: line.prefix(500), as: UTF8.self)
                log("an event cannot be read, so the run has failed: \(text)")
            }
            if isLast { _ = take(Data(rest)) }
        }

        private mutating func take(_ line: Data) -> Bool {
            guard let record = try? JSONDecoder().decode(Record.self, from: line) else { return false }
            if first.isEmpty { first = (try? JSONSerialization.jsonObject(with: line) as? [String: Any]) ?? [:] }
            if note(record.kind == "test", record.payload, line) { write(line) }
            return true
        }

        /// - Returns: Whether the stream is to have the line now.
        private mutating func note(_ isTest: Bool, _ payload: Record.Payload, _ line: Data) -> Bool {
            let test = payload.testID ?? payload.id ?? ""
            let isSuite = suites.contains(test)
            switch payload.kind {
            case "suite" where isTest: return suites.insert(test).inserted
            case _ where isTest:
                guard results[test] == nil else { return false }
                results[test] = Result()
                tests.append(test)
            case "runStarted", "testStarted":
                if !isSuite { started.insert(test) }
                results[test]?.start = payload.time
                guard open[test] == nil else { return false }
                open[test] = .some(nil)
            case "runEnded", "testEnded":
                if isSuite {
                    overSuites.insert(test)
                    open[test]? = line
                    return false
                }
                open[test] = nil
                results[test]?.end = payload.time
            case "testSkipped":
                if isSuite { return skippedSuites.insert(test).inserted }
                // One that has begun in an earlier process is not over.
                guard results[test]?.start == nil || started.contains(test) else { break }
                results[test]?.skip = payload.text
            case "issueRecorded" where payload.issue?.fails != false:
                hasFailure = true
                results[test]?.failures.append(payload.text)
            default: break
            }
            return true
        }

        /// Takes account of the tests that the process has left out with their suites. (One that had begun before is not over.)
        mutating func endProcess() {
            // A process that dies may not have come to the skipped tests of a skipped suite. The next process reports them.
            let over = isWhole ? overSuites.union(skippedSuites) : overSuites
            for test in tests where results[test]?.start == nil && !isOver(test) {
                if !over.isDisjoint(with: suitesAround(test)) { results[test]?.isLeftOut = true }
            }
        }

        private struct Record: Decodable {
            var kind: String
            var payload: Payload

            struct Payload: Decodable {
                var kind: String
                var id, testID: String?
                var issue: Issue?
                var instant: Instant?
                var messages: [Message]?

                var time: Double { instant?.absolute ?? 0 }
                var text: String { messages?.map(\.text).joined(separator: ": ") ?? "" }
            }

            struct Instant: Decodable { var absolute: Double }

            struct Message: Decodable { var text: String }

            struct Issue: Decodable {
                var isKnown: Bool
                var isFailure: Bool?
                var severity: String?

                /// Before 6.3, there was only `isKnown`.
                var fails: Bool { isFailure ?? (!isKnown && severity != "warning") }
            }
        }

        // MARK: - What no process has written

        /// Logs a failure and adds it to a test, which ends with it; to the run, if it is `nil`.
        mutating func fail(_ message: String, _ test: String? = nil) {
            log(message)
            let issue: [String: Any] = ["isKnown": false, "isFailure": true, "severity": "error"]
            let messages = [["symbol": "fail", "text": message]]
            write(record("issueRecorded", test, ["issue": issue, "messages": messages]))
            hasFailure = true
            guard let test else { return otherFailures += 1 }
            if results[test] == nil { tests.append(test) }  // its record could not be read
            results[test, default: Result()].failures.append(message)
            if open.removeValue(forKey: test) != nil { write(record("testEnded", test)) }
        }

        /// Adds the ends of what has not ended, the inner ones first, and of the run.
        mutating func end() {
            for (name, end) in open.sorted(by: { $0.key > $1.key }) {
                write(end ?? (name.isEmpty ? record("runEnded", nil) : record("testEnded", name)))
            }
        }

        private func record(_ kind: String, _ test: String?, _ more: [String: Any] = ["messages": [String]()]) -> Data {
            let instant = ["absolute": ProcessInfo.processInfo.systemUptime, "since1970": Date().timeIntervalSince1970]
            var payload: [String: Any] = ["kind": kind, "instant": instant].merging(more) { $1 }
            payload["testID"] = test
            let record = first.merging(["kind": "event", "payload": payload]) { $1 }
            return (try? JSONSerialization.data(withJSONObject: record)) ?? Data()  // it can always be encoded
        }

        private mutating func write(_ line: Data) {
            do throws(SystemError) {
                try stream?.writeAll(line + [UInt8(ascii: "\n")])
            } catch {
                log("the event stream cannot be written: \(error)")
                stream = nil
            }
        }
    }

    extension RunEvents {
        /// The text of a file of settings that leaves these tests out. (An argument has no room for thousands.)
        ///
        /// One expression names them suite by suite, because to compare each test with each takes long.
        func settings(skipping skipped: Set<String>) -> [UInt8] {
            let left = Set(tests.filter { !skipped.contains($0) }.flatMap(suitesAround))
            let groups = Dictionary(grouping: skipped) { test in
                let suites = suitesAround(test)
                return suites.first { !left.contains($0) } ?? suites.last ?? ""
            }
            let alternatives = groups.map { suite, tests in
                let isWhole = !suite.isEmpty && !left.contains(suite)
                let endings = tests.map { escape(String($0.dropFirst(suite.count))) }
                // Swift Testing makes up a suite without `@Suite` after it has filtered, so the expression has to match its tests.
                return escape(suite) + (isWhole ? "(?:/.*)?" : "(?:\(endings.joined(separator: "|")))")
            }
            let expressions = groups.isEmpty ? [] : ["^(?:\(alternatives.joined(separator: "|")))$"]
            return (try? Array(JSONEncoder().encode(["skip": expressions]))) ?? []  // texts can always be encoded
        }

        private func escape(_ text: String) -> String { NSRegularExpression.escapedPattern(for: text) }
    }
#endif
