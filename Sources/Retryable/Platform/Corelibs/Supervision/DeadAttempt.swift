#if !canImport(ObjectiveC)
    import Groundwork
    import RetryCore
    import RetryReport
    import XCTest

    /// An attempt whose process died. It goes through the same steps as any other, and fails with that death, inside of the
    /// sections that were open.
    final class DeadAttempt: RetryableTestCase {
        private var remains: (test: XCTestCase, death: Death, run: SupervisedRun)?
        /// How far it had come; `nil` if it had not begun.
        fileprivate var begun: RunState.Attempt?

        convenience init(of test: XCTestCase, _ death: Death, in run: SupervisedRun) {
            self.init(name: "") { ($0 as? DeadAttempt)?.die() }
            remains = (test, death, run)
            begun = run.state.attempt
        }

        override var name: String { remains?.test.name ?? super.name }
        override var reportName: TestName { remains.map { TestName(of: $0.test) } ?? super.reportName }
        override var runClass: JudgingRun.Type { DeadRun.self }

        override func queued(after previousFlake: PreviousFlake) -> QueuedTest {
            guard let test = remains?.test as? RetryableTestCase else { return super.queued(after: previousFlake) }
            return test.queued(after: previousFlake)
        }

        private func die() {
            guard let (_, death, run) = remains, let attempt, let testRun else { return }
            let verdict = attempt.judge(
                death,
                in: begun == nil ? [] : run.shared.openSections.sections,
                flaked: begun == nil ? nil : run.shared.flakedSection.sections.first,
                hasFailed: begun?.totals.hasFailed ?? false,
                isSanitized: dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
            )
            guard let ending = verdict.ending else { return }
            fail(Failure("\(death)\(ending)", at: Place(file: "<unknown>", line: 0)), in: testRun)
        }
    }

    /// The run of an attempt that has died. XCTest has reported its start and earlier failures; they are not reported again.
    private final class DeadRun: JudgingRun {
        private var dead: DeadAttempt? { test as? DeadAttempt }

        override var startDate: Date? {
            dead?.begun.map { Date(timeIntervalSince1970: $0.start) } ?? super.startDate
        }

        override var failureCount: Int {
            dead?.attempt?.hasFailed == true ? (dead?.begun?.totals.failures ?? 0) + 1 : 0
        }

        override func start() {
            if dead?.begun == nil { super.start() } else { dead?.beginAttempt() }
        }
    }
#endif
