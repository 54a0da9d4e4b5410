#if !canImport(ObjectiveC)
    import Groundwork
    import RetryCore
    import XCTest

    /// What a process that runs tests writes down of them, in memory that it shares with the one which waits for its end.
    final class Notes: NSObject, XCTestObservation, RunWitness, @unchecked Sendable {
        // Safe to send: one process at a time runs tests, and in it all that changes is behind `keys`.
        private struct Header: BitwiseCopyable {
            var moves: UInt64 = 0
            /// Whether the time limit applies now.
            var isTimed = false
            var position = RunState.Position()
            var attempts = 0
            var sections = 0
            var characters = 0
            var effects = LastWord.Effects()
        }

        private struct NotedSection: BitwiseCopyable {
            var reason: UnsafeRawBufferPointer
            var matching: UnsafeRawBufferPointer?
            var maxRetryCount: Int
            var isFixable: Bool
            /// Its characters are the program's, which all these processes run.
            var file: StaticString
            var line: UInt
        }

        private struct Keys {
            var suites: [ObjectIdentifier: Int] = [:]
            /// By the instance of the test; by its story, if it is a retry.
            var attempts: [ObjectIdentifier: Int] = [:]
            var texts: [String: UnsafeRawBufferPointer] = [:]
            /// The attempt that runs, if it can flake.
            var attempt: Attempt?
        }

        /// The suites and tests that XCTest has made, by the numbers that `RunState` has for them.
        private(set) var suites: [XCTestSuite] = []
        private(set) var tests: [XCTestCase] = []
        private var parents: [Int] = []

        private let header: UnsafeMutablePointer<Header>
        private let attempts: UnsafeMutableBufferPointer<RunState.Attempt>
        /// Those that are open and have retries left.
        private let sections: UnsafeMutableBufferPointer<NotedSection>
        private let characters: UnsafeMutableRawBufferPointer
        private let keys = Locked(Keys())

        /// - Returns: `nil` if the system has no memory to share.
        init?(of outermost: XCTestSuite) {
            let sizes = [MemoryLayout<Header>.stride, 1 << 28, 1 << 12, 1 << 28]
            let memory = sizes.map { size in
                // It is taken only as it is used.
                mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
            }
            let shared = zip(memory, sizes).map { UnsafeMutableRawBufferPointer(start: $0, count: $1) }
            guard !memory.contains(MAP_FAILED), let header = shared[0].bindMemory(to: Header.self).baseAddress
            else { return nil }
            header.initialize(to: Header())
            self.header = header
            attempts = shared[1].bindMemory(to: RunState.Attempt.self)
            sections = shared[2].bindMemory(to: NotedSection.self)
            characters = shared[3]
            super.init()
            list(outermost, in: -1)
            testSuiteWillStart(outermost)
        }

        private func list(_ test: XCTest, in parent: Int) {
            if let suite = test as? XCTestSuite {
                let number = suites.count
                put(suite, asSuite: number)
                suites.append(suite)
                parents.append(parent)
                for test in suite.tests { list(test, in: number) }
            } else if let test = test as? XCTestCase {
                put(test, asAttempt: append(RunState.Attempt(test: tests.count, suite: parent)))
                tests.append(test)
            }
        }

        private func append(_ attempt: RunState.Attempt) -> Int {
            attempts[header.pointee.attempts] = attempt
            header.pointee.attempts += 1
            return header.pointee.attempts - 1
        }

        /// Begins to write, in a process that runs tests.
        func observe() {
            header.pointee.isTimed = false
            XCTestObservationCenter.shared.addTestObserver(self)
            RunWitnesses.current = self
            RetryQueue.witness = queue
        }

        // MARK: - Writing

        private func note(_ body: (inout Keys, inout Header) -> Void) {
            keys.withLock { body(&$0, &header.pointee) }
            header.pointee.moves &+= 1
        }

        func testSuiteWillStart(_ suite: XCTestSuite) {
            note { keys, header in
                guard let number = number(of: suite, keys) else { return }
                if number > parents.count { begin(suite, keys, &header.position, all: header.attempts) }
                if number < parents.count { header.position.lastSuite = max(number, header.position.lastSuite) }
                header.position.suite = number
                header.isTimed = suite.tests.first is XCTestCase
            }
        }

        /// Begins with the retries of one class.
        private func begin(_ suite: XCTestSuite, _ keys: Keys, _ position: inout RunState.Position, all: Int) {
            for index in position.roundStart..<position.roundEnd { attempts[index].suite = parents.count }
            for index in suite.tests.compactMap({ keys.attempts[key(of: $0)] }) {
                attempts[index].suite = parents.count + 1
                // The first class of a round: whatever is queued by now is part of it.
                if index >= position.roundEnd { (position.roundStart, position.roundEnd) = (index, all) }
            }
        }

        func testSuiteDidFinish(_ suite: XCTestSuite) {
            note { keys, header in
                guard let number = number(of: suite, keys) else { return }
                header.position.suite =
                    number < parents.count ? parents[number] : number == parents.count ? 0 : number - 1
                header.isTimed = false
            }
        }

        private func number(of suite: XCTestSuite, _ keys: Keys) -> Int? {
            switch suite {
            case is RetrySuite: parents.count
            case is RetryClassSuite: parents.count + 1
            default: keys.suites[ObjectIdentifier(suite)]
            }
        }

        func testCaseWillStart(_ test: XCTestCase) {
            note { keys, header in
                guard header.position.attempt < 0, let index = keys.attempts[key(of: test)] else { return }
                attempts[index].hasBegun = true
                // As exact as the report, which may know this attempt already.
                let start = (test.testRun?.startDate ?? Date()).timeIntervalSince1970
                attempts[index].start = (start * 1000).rounded() / 1000
                header.position.attempt = index
                header.isTimed = true
                keys.attempt = (test as? RetryableTestCase)?.attempt
            }
        }

        func testCase(_ test: XCTestCase, didFailWithDescription _: String, inFile _: String?, atLine _: Int) {
            note { keys, header in
                guard let index = keys.attempts[key(of: test)], index == header.position.attempt else { return }
                attempts[index].totals.failures += 1
            }
        }

        func testCaseDidFinish(_ test: XCTestCase) {
            let isFlaky = (test as? RetryableTestCase)?.attempt?.isFlaky ?? ((test as? DeadAttempt)?.flake != nil)
            note { keys, header in
                guard let index = keys.attempts[key(of: test)], index == header.position.attempt else { return }
                if let run = test.testRun { attempts[index].totals = Totals(of: run) }
                // One that flaked has ended when its retry is queued.
                if !isFlaky { end(index, &keys, &header) }
            }
        }

        /// Notes that the attempt which runs has flaked, and what follows it.
        private func queue(_ story: Story) {
            note { keys, header in
                let flaked = header.position.attempt
                guard flaked >= 0 else { return }
                let test = attempts[flaked].test
                keys.attempts[ObjectIdentifier(story)] = append(
                    RunState.Attempt(test: test, suite: parents.count, retryCount: story.retryCount)
                )
                end(flaked, &keys, &header)
            }
        }

        private func end(_ attempt: Int, _ keys: inout Keys, _ header: inout Header) {
            attempts[attempt].hasEnded = true
            header.position.attempt = -1
            header.sections = 0
            keys.attempt = nil
        }

        func changeSections(to open: [Section], of attempt: Attempt) {
            note { keys, header in
                guard keys.attempt === attempt else { return }
                header.sections = 0
                for section in open.suffix(sections.count) where attempt.retryCount < section.mark.maxRetryCount {
                    guard case .xctest(let file, let line) = section.site else { continue }
                    sections[header.sections] = NotedSection(
                        reason: copied(section.mark.reason, &keys, &header),
                        matching: section.mark.matching.map { copied($0, &keys, &header) },
                        maxRetryCount: section.mark.maxRetryCount,
                        isFixable: section.mark.isFixable,
                        file: file,
                        line: line
                    )
                    header.sections += 1
                }
            }
        }

        private func copied(_ text: String, _ keys: inout Keys, _ header: inout Header) -> UnsafeRawBufferPointer {
            if let copy = keys.texts[text] { return copy }
            let room = UnsafeMutableRawBufferPointer(
                rebasing: characters[header.characters...].prefix(text.utf8.count)
            )
            room.copyBytes(from: text.utf8.prefix(room.count))
            header.characters += room.count
            keys.texts[text] = UnsafeRawBufferPointer(room)
            return UnsafeRawBufferPointer(room)
        }

        func changeEffects(to effects: LastWord.Effects) { header.pointee.effects = effects }
    }

    // MARK: - Reading

    extension Notes {
        /// How often anything has moved; `nil` while nothing runs that has to.
        var moves: UInt64? { header.pointee.isTimed ? header.pointee.moves : nil }

        var effects: LastWord.Effects { header.pointee.effects }

        func state(_ charges: [RunState.Charge]) -> RunState {
            let attempts = Array(attempts[..<header.pointee.attempts])
            return RunState(parents: parents, attempts: attempts, position: header.pointee.position, charges: charges)
        }

        /// The sections that were open and had retries left, innermost first.
        var openSections: [Section] {
            sections[..<header.pointee.sections].reversed().map { noted in
                let mark = Flakiness(
                    reason: String(decoding: noted.reason, as: UTF8.self),
                    maxRetryCount: noted.maxRetryCount,
                    isFixable: noted.isFixable,
                    matching: noted.matching.map { String(decoding: $0, as: UTF8.self) }
                )
                return Section(mark: mark, site: .xctest(noted.file, noted.line))
            }
        }

        func number(of suite: XCTest) -> Int? { keys.withLock { $0.suites[ObjectIdentifier(suite)] } }

        func attempt(of test: XCTest) -> Int? { keys.withLock { $0.attempts[key(of: test)] } }

        /// From now on, what happens to a test, or to the retry that has a story, happens to an attempt.
        func put(_ testOrStory: AnyObject, asAttempt attempt: Int) {
            keys.withLock { $0.attempts[ObjectIdentifier(testOrStory)] = attempt }
        }

        /// From now on, what happens to a suite happens to the one with this number.
        func put(_ suite: XCTestSuite, asSuite number: Int) {
            keys.withLock { $0.suites[ObjectIdentifier(suite)] = number }
        }

        private func key(of test: XCTest) -> ObjectIdentifier {
            (test as? RetryableTestCase)?.story.map(ObjectIdentifier.init) ?? ObjectIdentifier(test)
        }
    }
#endif
