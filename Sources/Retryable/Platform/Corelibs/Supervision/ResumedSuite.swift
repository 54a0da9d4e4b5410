#if !canImport(ObjectiveC)
    import RetryCore
    import XCTest

    /// A suite that had begun when its process died, and goes on in this one.
    final class ResumedSuite: XCTestSuite {
        fileprivate let totals: Totals
        private let rest: (XCTestSuiteRun) -> Void

        /// - Parameters:
        ///   - totals: Its results so far.
        ///   - rest: Runs what is left of it.
        init(_ name: String, _ totals: Totals, rest: @escaping (XCTestSuiteRun) -> Void) {
            (self.totals, self.rest) = (totals, rest)
            super.init(name: name)
        }

        override var testRunClass: AnyClass? { ResumedSuiteRun.self }

        override func perform(_ run: XCTestRun) {
            guard let run = run as? XCTestSuiteRun else { return }
            run.start()
            rest(run)
            run.stop()
        }
    }

    /// XCTest has reported the suite's start; it is not reported again.
    private final class ResumedSuiteRun: RetrySuiteRun {
        private let begin = Date()

        required init(test: XCTest) {
            super.init(test: test)
            totals = (test as? ResumedSuite)?.totals ?? Totals()
        }

        override var startDate: Date? { begin }
        override func start() {}
    }
#endif
