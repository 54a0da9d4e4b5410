#if !canImport(ObjectiveC)
    import Groundwork
    import RetryCore
    import RetryReport
    import XCTest

    extension Resumption {
        /// What ends the attempt that has to answer for the death, if it is one of this suite; its record says it from now on.
        func deadAttempt(in suite: Int) -> DeadAttempt? {
            guard case .test(let number) = culprit, state.tests[number].suite == suite else { return nil }
            let (test, retryCount) = (run.tests[number], state.tests[number].retryCount)
            let (name, start) = (TestName(of: test), state.attempt.map { Date(timeIntervalSince1970: $0.start) })
            let sections = state.attempt == nil ? [] : run.sections.sections
            let verdict = death.verdict(
                marks: sections.map(\.mark),
                retryCount: retryCount,
                hasFailed: state.attempt?.totals.hasFailed ?? false,
                hasFlaked: state.attempt?.hasFlaked ?? false,
                isSanitized: dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil,
                refusal: ProcessRun.shared.refusal
            )
            func record(_ failure: Failure, flake: Flake?) {
                let attempt = Retry.Attempt(
                    number: retryCount + 1,
                    outcome: flake == nil ? .failed : .flaked,
                    startedAt: start ?? Date(),
                    duration: start.map { max(0, Date().timeIntervalSince($0)) } ?? 0,
                    failures: [failure]
                )
                ProcessRun.shared.record(
                    name,
                    flake: flake,
                    attempt: attempt,
                    outcome: flake == nil ? .failed : .pending
                )
            }
            let dead = DeadAttempt(of: test, since: start)
            run.call(dead, number)
            if case .flake(let index) = verdict, let test = test as? RetryableTestCase {
                let flake = Flake(section: sections[index], failure: Failure(unplaced: "\(death)"))
                ProcessRun.shared.count([EnteredSection(sections[index], hasFlaked: true)], module: name.module)
                record(flake.failure, flake: flake)
                dead.end = .flaked(flake, Wording(flake, failureCount: 1, retryCount: retryCount).announcement)
                dead.next = QueuedTest(
                    of: test,
                    after: PreviousFlake(test: name, retryCount: retryCount + 1, flake: flake)
                )
            } else {
                var message = "\(death)"
                if case .refused(let refusal) = verdict, let note = refusal.note { message += " (\(note))" }
                if ProcessRun.shared.flake(of: name) != nil { record(Failure(unplaced: message), flake: nil) }
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
