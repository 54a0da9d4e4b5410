#if canImport(ObjectiveC)
    import RetryCore

    /// The counterpart of Linux's supervision, on systems where Xcode starts the tests.
    enum SupervisedRun {
        static func begin() {
            ProcessContext.shared.warnUnsupervised(
                "Swift Testing runs all tests in one process, which a crash ends; for hangs, it has .timeLimit"
            )
        }
    }

    enum SupervisedProcess {
        static func begin() {}
        static func prepareThread() {}
        static func noteExit() {}
    }
#endif
