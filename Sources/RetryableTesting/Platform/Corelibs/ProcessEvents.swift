#if !canImport(ObjectiveC)
    import Foundation
    import Groundwork

    /// The tests of one process, as its event stream names them, and how far they came.
    struct ProcessEvents {
        /// The tests that the process was to run, in their order; without suites.
        private(set) var tests: [String] = []
        private(set) var suites: Set<String> = []
        /// What is known of each test and suite.
        private(set) var results: [String: Result] = [:]
        /// Something has failed, or cannot be read.
        private(set) var hasFailure = false
        /// Swift Testing has come to the end of its run.
        private(set) var isWhole = false
        /// The number of bytes that have been read.
        private(set) var length = 0
        /// The beginning of a line that is not read yet.
        private var rest: [UInt8] = []

        struct Result {
            var start, end: Double?
            var skip: String?
            var failures: [String] = []

            /// It has ended or was left out.
            var isOver: Bool { end != nil || skip != nil }
        }

        /// Reads what the process has written since the last time.
        ///
        /// - Parameters:
        ///   - isLast: The process has ended, perhaps in the middle of a line.
        ///   - use: Called with each line.
        mutating func read(
            _ file: Descriptor,
            isLast: Bool = false,
            _ use: (_ record: Record, _ line: Data) -> Void
        ) throws(SystemError) {
            guard isLast || file.size > length else { return }
            let bytes = try file.readAll()
            length += bytes.count
            var lines = (rest + bytes).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            rest = Array(lines.removeLast())
            for line in lines where !line.isEmpty && !take(Data(line), use) {
                hasFailure = true  // it may be a failure
                let text = String(decoding: line.prefix(500), as: UTF8.self)
                log("an event cannot be read, so the run has failed: \(text)")
            }
            if isLast { _ = take(Data(rest), use) }
        }

        private mutating func take(_ line: Data, _ use: (Record, Data) -> Void) -> Bool {
            guard let record = try? JSONDecoder().decode(Record.self, from: line) else { return false }
            note(record.kind == "test", record.payload)
            use(record, line)
            return true
        }

        private mutating func note(_ isTest: Bool, _ payload: Record.Payload) {
            let test = payload.testID ?? payload.id ?? ""
            switch payload.kind {
            case "suite" where isTest: suites.insert(test)
            case _ where isTest: tests.append(test)
            case "testStarted" where !suites.contains(test): results[test, default: Result()].start = payload.time
            case "testEnded": results[test, default: Result()].end = payload.time
            case "testSkipped": results[test, default: Result()].skip = payload.text
            case "issueRecorded" where payload.issue?.fails != false:
                hasFailure = true
                results[test, default: Result()].failures.append(payload.text)
            case "runEnded": isWhole = true
            default: break
            }
        }

        var started: Set<String> { Set(results.filter { $1.start != nil }.keys) }

        /// The tests that had begun and not ended.
        var running: Set<String> { started.filter { results[$0]?.isOver == false } }

        /// The tests that have ended or failed; also those that were left out, by themselves or with their suites, unless they had
        /// begun in an earlier process.
        func over(afterBeginning begun: Set<String>) -> [String] {
            tests.filter { test in
                if let result = results[test], !result.failures.isEmpty || result.start != nil && result.isOver {
                    return true
                }
                return !begun.contains(test) && ([test] + suitesAround(test)).contains { results[$0]?.isOver == true }
            }
        }

        func suitesAround(_ test: String) -> [String] {
            test.indices.filter { test[$0] == "/" }.map { String(test[..<$0]) }.filter(suites.contains)
        }

        struct Record: Decodable {
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
    }

    extension ProcessEvents {
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
                return escape(suite) + (isWhole ? "" : "(?:\(endings.joined(separator: "|")))")
            }
            let expressions = groups.isEmpty ? [] : ["^(?:\(alternatives.joined(separator: "|")))$"]
            return (try? Array(JSONEncoder().encode(["skip": expressions]))) ?? []  // texts can always be encoded
        }

        private func escape(_ text: String) -> String { NSRegularExpression.escapedPattern(for: text) }
    }
#endif
