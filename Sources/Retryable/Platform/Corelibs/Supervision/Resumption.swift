#if !canImport(ObjectiveC)
    import Groundwork
    import RetryCore
    import RetryReport
    import XCTest

    /// Tells of a death, and runs what is left of the tests.
    ///
    /// Suites that had begun go on with what they had come to; a class is set up again for the tests that it has left.
    final class Resumption {
        private let notes: Notes
        private let state: RunState
        private let death: Death
        /// The runs of the suites that go on, outermost first.
        private var runs: [RetrySuiteRun] = []

        init(of notes: Notes, _ state: RunState, after death: Death) {
            (self.notes, self.state, self.death) = (notes, state, death)
        }

        func run(_ outermost: XCTestSuite, finish: () -> Void) -> Never {
            Ledger.shared.resume(notes.effects)
            say(announcement)
            // Those of the round that is under way do not wait for the next.
            for attempt in state.left(in: state.retries) where attempt >= state.round.upperBound {
                queued(attempt).map(RetryQueue.add)
            }
            notes.observe()
            let run = RetrySuiteRun(test: outermost)
            run.totals = state.totals(of: 0)
            runs = [run]
            goOn(with: outermost, 0)
            if state.position.suite >= state.retries {
                goOnWithRetries()
            } else {
                perform(RetrySuite.make())
            }
            (outermost.testRun as? XCTestSuiteRun)?.addTestRun(run)
            outermost.testRun?.stop()
            finish()
            exit(outermost.testRun?.totalFailureCount == 0 ? 0 : 1)
        }

        /// What has died, and what comes of it.
        private var announcement: String {
            var suite = state.position.suite
            var line = "\(death) when its tests had ended"
            if case .attempt(let attempt) = state.charges.last {
                suite = state.attempts[attempt].suite
                line = "\(notes.tests[state.attempts[attempt].test].name) \(death)"
            } else {
                line = "\(suite < state.retries ? notes.suites[suite].name : "Retries") \(line)"
            }
            guard !state.left(in: 0).isEmpty else { return line }
            line += "; the tests that are left run in another process"
            guard suite > 0, suite < state.retries, !state.left(in: suite).isEmpty else { return line }
            return "\(line), where \(notes.suites[suite].name) is set up again"
        }

        // MARK: - What is left

        private func goOn(with suite: XCTestSuite, _ number: Int) {
            tellOfDeath(in: number)
            let left = suite.tests.filter { test in
                if let suite = notes.number(of: test) { return state.standing(of: suite) != .over }
                return notes.attempt(of: test).map(state.isLeft) ?? true
            }
            guard !left.isEmpty else { return }
            notes.testSuiteWillStart(suite)
            suite.setUp()
            for test in left {
                if let suite = test as? XCTestSuite, let number = notes.number(of: suite),
                    state.standing(of: number) == .open
                {
                    resume(suite.name, number) { self.goOn(with: suite, number) }
                } else {
                    perform(test)
                }
            }
            suite.tearDown()
        }

        private func goOnWithRetries() {
            resume("Retries", state.retries) { [self, state] in
                tellOfDeath(in: state.retries)
                let round = Dictionary(grouping: state.round) { state.attempts[$0].suite }
                if state.position.suite == state.retriesOfClass {
                    let suite = RetryClassSuite((round[state.retriesOfClass] ?? []).compactMap(queued))
                    resume(suite.name, state.retriesOfClass) { self.goOn(with: suite, state.retriesOfClass) }
                }
                let rest = (round[state.retries] ?? []).filter(state.isLeft).compactMap(queued)
                RetryQueue.grouped(rest).map(RetryClassSuite.init).forEach(perform)
                Rounds.run(beginningWith: RetryQueue.takeRound(), count: count)
            }
        }

        private func resume(_ name: String, _ number: Int, _ body: @escaping () -> Void) {
            let suite = ResumedSuite(name: name)
            suite.totals = state.totals(of: number)
            suite.body = { [self] run in
                runs.append(run)
                body()
                runs.removeLast()
            }
            notes.put(suite, asSuite: number)
            suite.run()
        }

        private func perform(_ test: XCTest) {
            test.run()
            test.testRun.map(count)
        }

        private func count(_ run: XCTestRun) {
            for suite in runs { suite.addTestRun(run) }
        }

        private func queued(_ attempt: Int) -> QueuedTest? {
            guard let test = notes.tests[state.attempts[attempt].test] as? RetryableTestCase else { return nil }
            let unknown = Flake(
                section: Section(
                    mark: .fixable(reason: "not known: the report could not be written"),
                    site: .testing("", 0)
                ),
                failure: Failure(of: "flaked")
            )
            let flake = Ledger.shared.flake(of: test.reportName) ?? unknown
            let story = Story(test: test.reportName, retryCount: state.attempts[attempt].retryCount, flake: flake)
            notes.put(story, asAttempt: attempt)
            return QueuedTest(of: test, next: story)
        }

        // MARK: - The death

        /// Ends the attempt that has to answer for the death, if it is one of this suite.
        private func tellOfDeath(in suite: Int) {
            guard case .attempt(let number) = state.charges.last, state.attempts[number].suite == suite else { return }
            let (attempt, sections) = (state.attempts[number], notes.openSections)
            let test = notes.tests[attempt.test]
            let dead = DeadAttempt(of: test, since: attempt.hasBegun ? attempt.start : nil)
            notes.put(dead, asAttempt: number)
            let verdict = death.verdict(
                marks: sections.map(\.mark),
                retryCount: attempt.retryCount,
                hasFailed: attempt.totals.hasFailed,
                isSanitized: dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil,
                refusal: Ledger.shared.refusal
            )
            let name = TestName(of: test)
            if case .flake(let index) = verdict, let test = test as? RetryableTestCase {
                let flake = Flake(section: sections[index], failure: Failure(of: "\(death)"))
                Ledger.shared.count([EnteredSection(sections[index], hasFlaked: true)], module: name.module)
                record(attempt, of: name, flake.failure, flake: flake)
                dead.flake = (flake, Wording(flake, failureCount: 1, retryCount: attempt.retryCount).announcement)
                perform(dead)
                let story = Story(test: name, retryCount: attempt.retryCount + 1, flake: flake)
                RetryQueue.add(QueuedTest(of: test, next: story))
            } else {
                var message = "\(death)"
                if case .refused(let refusal) = verdict, let note = refusal.note { message += " (\(note))" }
                if Ledger.shared.flake(of: name) != nil { record(attempt, of: name, Failure(of: message), flake: nil) }
                dead.failure = (message, attempt.totals.failures)
                perform(dead)
            }
        }

        private func record(_ attempt: RunState.Attempt, of name: TestName, _ failure: Failure, flake: Flake?) {
            let start = attempt.hasBegun ? Date(timeIntervalSince1970: attempt.start) : Date()
            let told = Retry.Attempt(
                number: attempt.retryCount + 1,
                outcome: flake == nil ? .failed : .flaked,
                startedAt: start,
                duration: max(0, Date().timeIntervalSince(start)),
                failures: [failure]
            )
            Ledger.shared.record(name, flake: flake, attempt: told, outcome: flake == nil ? .failed : .pending)
        }
    }

    extension Failure {
        /// A failure of which there is no place.
        fileprivate init(of message: String) {
            self.init(message: message, file: nil, line: nil, kind: .error)
        }
    }
#endif
