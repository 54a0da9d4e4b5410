import RetryReport

extension ProcessContext {
    /// Has the report say that this process goes on, with tests of another framework than those that have ended in it.
    package func goOn() {
        if hasFinished.withLock(\.self) { report.writeCounts() }
    }

    /// Completes the report, and lists on standard error the tests that flaked, and how they ended; writes nothing there if
    /// nothing flaked and the settings changed nothing.
    package func finish(isMidRun: Bool = false) {
        // The next process goes on where this one was frozen.
        if let progress = SharedProgress.current, progress.isFrozen, !progress.isOver { return }
        hasFinished.withLock { $0 = true }
        completions.withLock { $0 += 1 }
        defer { completions.withLock { $0 -= 1 } }
        // The parent of a supervised process does it when the last one has ended.
        if AttemptSlots.current != nil { return report.writeCounts() }
        let place = report.close(isMidRun: isMidRun)
        let tests = report.takeUnlisted()
        if !tests.isEmpty { log(tests.endings) }
        for test in tests.worstFirst {
            let last = test.attempts.last { !$0.failures.isEmpty }?.mainFailure
            let failure = last.map { "; failure: \($0.displayMessage.cut(to: 300))\($0.atPlace)" } ?? ""
            log("\(test.name) \(test.ending)\(failure); \(test.mark.words)\(test.atPlace)")
        }
        let counts = counts.withLock { $0 }
        let effects = [
            ("MODE=strict", counts.strictFailures, "failure", "in flaky sections not retried"),
            ("MAX_FLAKES=\(settings.maxFlakes ?? 0)", counts.beyondLimit, "failure", "beyond the limit not retried"),
            ("RETRY_DELAY=\(settings.retryDelay ?? 0)", counts.delays, "wait", "before retries"),
            ("FAIL_ON_FLAKY=1", counts.failedThoughRecovered, "test", "recovered and failed the run all the same"),
        ]
        for (setting, count, what, effect) in effects where count > 0 {
            log("RETRYABLE_\(setting): \(count.of(what)) \(effect)")
        }
        if !tests.isEmpty, let place { log("report: \(place)") }
    }
}
