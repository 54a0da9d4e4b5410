import RetryableTesting
import Testing

@Suite(.retryable) struct RealFailures {
    @Test func afterFlake() {
        flaky(.fixable(reason: "a race")) { _ = Issue.record("inside") }
        Issue.record("outside")
    }

    @Test func beforeFlake() {
        Issue.record("outside")
        flaky(.fixable(reason: "a race")) { _ = Issue.record("inside") }
    }

    @Test func thrownAfterFlake() throws {
        flaky(.fixable(reason: "a race")) { _ = Issue.record("inside") }
        throw Boom()
    }

    @Test func onRetry() {
        flaky(.fixable(reason: "a race")) { #expect(retryCount > 0) }
        if retryCount > 0 { Issue.record("outside") }
    }

    @Test(.filterIssues { !$0.comments.contains("noise") }) func filteredOut() {
        flaky(.fixable(reason: "a race")) { _ = Issue.record("inside") }
        Issue.record("noise")
    }
}

@Suite struct LateFailures {
    /// Ends while a section of it is open still, in a task that it does not wait for.
    @Test(TellsOfItsEnd(), .retryable) func late() async {
        await withCheckedContinuation { opened in
            Task {
                await flaky(.fixable(reason: "a race")) {
                    opened.resume()
                    await Gate.opened.wait()
                    Issue.record("late")
                    await Gate.passed.open()
                }
            }
        }
    }

    /// Keeps the process alive until the failure has come.
    @Test func waits() async {
        await Gate.ended.wait()
        await Gate.opened.open()
        await Gate.passed.wait()
    }
}

@Suite(.retryable) struct LeftBehind {
    private static let retried = Gate()
    private static let failed = Gate()

    /// Leaves a task of its section behind, which fails while the retry runs.
    @Test func failsDuringRetry() async {
        if retryCount == 0 {
            flaky(.fixable(reason: "a race")) {
                Task {
                    await Self.retried.wait()
                    Issue.record("left behind")
                    await Self.failed.open()
                }
                Issue.record("inside")
            }
        } else {
            flaky(.fixable(reason: "a race")) {}
            await Self.retried.open()
            await Self.failed.wait()
        }
    }
}

/// Opens a gate when all attempts of a test have ended.
private struct TellsOfItsEnd: TestTrait, TestScoping {
    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await function()
        await Gate.ended.open()
    }
}

/// Waits until somebody else opens it.
private actor Gate {
    static let ended = Gate()
    static let opened = Gate()
    static let passed = Gate()

    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func open() {
        isOpen = true
        waiting.forEach { $0.resume() }
        waiting = []
    }

    func wait() async {
        guard !isOpen else { return }
        await withCheckedContinuation { waiting.append($0) }
    }
}
