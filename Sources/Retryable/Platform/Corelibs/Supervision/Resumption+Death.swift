#if !canImport(ObjectiveC)
    import Groundwork
    import RetryCore
    import RetryReport
    import XCTest

    extension Resumption {
        /// What ends the attempt that has to answer for the death, if it is one of this suite; its record says it from
        /// now on.
        func deadAttempt(in suite: Int) -> DeadAttempt? {
            guard case .test(let number) = culprit, state.tests[number].suite == suite else { return nil }
            let (test, retryCount) = (run.tests[number], state.tests[number].retryCount)
            let (name, start) = (TestName(of: test), state.attempt.map { Date(timeIntervalSince1970: $0.start) })
            let sections = state.attempt == nil ? [] : run.openSections.sections
            let flaked = state.attempt == nil ? nil : run.flakedSection.sections.first
            let verdict = death.verdict(
                marks: sections.map(\.mark),
                retryCount: retryCount,
                hasFailed: state.attempt?.totals.hasFailed ?? false,
                hasFlaked: flaked != nil,
                isSanitized: dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil,
                refusal: ProcessRun.shared.refusal
            )
            func record(_ outcome: Retry.Attempt.Outcome, _ failure: Failure, in section: Section?) {
                if let section {
                    ProcessRun.shared.count([EnteredSection(section, hasFlaked: true)], module: name.module)
                }
                let attempt = Retry.Attempt(
                    number: retryCount + 1,
                    outcome: outcome,
                    startedAt: start ?? Date(),
                    duration: start.map { max(0, Date().timeIntervalSince($0)) } ?? 0,
                    failures: [failure]
                )
                let flake = section.map { Flake(section: $0, failure: failure) }
                ProcessRun.shared.record(name, flake: flake, attempt: attempt, outcome: outcome.ofTest)
            }
            let dead = DeadAttempt(of: test, since: start)
            run.call(dead, number)
            if case .flake(let index) = verdict, let test = test as? RetryableTestCase {
                let flake = Flake(section: sections[index], failure: Failure(unplaced: "\(death)"))
                record(.flaked, flake.failure, in: flake.section)
                dead.end = .flaked(flake, Wording(flake, failureCount: 1, retryCount: retryCount).announcement)
                dead.next = QueuedTest(
                    of: test,
                    after: PreviousFlake(test: name, retryCount: retryCount + 1, flake: flake)
                )
            } else {
                var message = "\(death)"
                if case .refused(let refusal) = verdict, let note = refusal.note { message += " (\(note))" }
                if flaked != nil || ProcessRun.shared.flake(of: name) != nil {
                    record(.failed, Failure(unplaced: message), in: flaked)
                }
                dead.end = .failed(message, before: state.attempt?.totals.failures ?? 0)
            }
            return dead
        }
    }

    extension Failure {
        /// A failure of which there is no place.
        init(unplaced message: String) {
            self.init(message: message, file: nil, line: nil, kind: .error)
        }
    }
#endif
