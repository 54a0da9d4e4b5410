#if !canImport(ObjectiveC)
    import Foundation

    /// The tests of one process, as its event stream names them, and how far they came.
    struct ProcessEvents {
        /// The tests that the process was to run, in their order; without suites.
        private(set) var tests: [String] = []
        private(set) var suites: Set<String> = []
        /// The line and the column of each test.
        private(set) var places: [String: Record.Place] = [:]
        private(set) var started: Set<String> = []
        /// The tests and suites that have ended or that were left out.
        private(set) var ended: Set<String> = []
        private(set) var failed: Set<String> = []
        /// Something has failed, or cannot be read.
        private(set) var hasFailure = false
        /// Swift Testing has come to the end of its run.
        private(set) var isWhole = false
        private(set) var lines: [(record: Record, text: Data.SubSequence)] = []

        init(_ stream: Data = Data()) {
            let texts = stream.split(separator: UInt8(ascii: "\n"))
            for (index, text) in texts.enumerated() {
                if let record = try? JSONDecoder().decode(Record.self, from: text) {
                    note(record.kind == "test", record.payload)
                    lines.append((record, text))
                } else if index < texts.count - 1 || stream.last == UInt8(ascii: "\n") {  // only the last may be torn
                    hasFailure = true
                }
            }
        }

        private mutating func note(_ isTest: Bool, _ payload: Record.Payload) {
            let test = payload.testID ?? payload.id ?? ""
            switch payload.kind {
            case "suite" where isTest: suites.insert(test)
            case _ where isTest:
                tests.append(test)
                places[test] = payload.sourceLocation
            case "testStarted" where !suites.contains(test): started.insert(test)
            case "testEnded", "testSkipped": ended.insert(test)
            case "issueRecorded" where payload.issue?.fails != false:
                hasFailure = true
                failed.insert(test)
            case "runEnded": isWhole = true
            default: break
            }
        }

        /// The tests that had begun and not ended.
        var running: Set<String> { started.subtracting(ended) }

        /// The tests that have ended or failed; also those that were left out, by themselves or with their suites, unless they had
        /// begun in an earlier process.
        func over(afterBeginning begun: Set<String>) -> [String] {
            tests.filter { test in
                if failed.contains(test) || ended.contains(test) && started.contains(test) { return true }
                return !begun.contains(test) && ([test] + suitesAround(test)).contains(where: ended.contains)
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
                var sourceLocation: Place?
                var issue: Issue?
                var instant: Instant?
                var messages: [Message]?
            }

            struct Place: Decodable { var line, column: Int }

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
#endif
