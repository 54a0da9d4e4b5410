import RetryableTesting
import Testing

/// Provides a scope, and does nothing there: what Swift Testing takes for any such trait.
private struct EmptyTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(for _: Test, testCase _: Test.Case?, performing test: @Sendable () async throws -> Void)
        async throws
    {
        try await test()
    }
}

extension Trait where Self == EmptyTrait {
    fileprivate static var empty: Self { EmptyTrait() }
}

/// The tests that are measured. Names of one length, here and there: it is printed.
extension SwiftTesting {
    @Suite(.empty) struct Ordinary {
        @Test func first() { #expect(sum(1, 1) == 2) }
        @Test func second() { #expect(sum(1, 1) == 2) }
        @Test func third() { #expect(sum(1, 1) == 2) }
        @Test func fourth() { #expect(sum(1, 1) == 2) }
        @Test func fifth() { #expect(sum(1, 1) == 2) }
        @Test func sixth() { #expect(sum(1, 1) == 2) }
        @Test func seventh() { #expect(sum(1, 1) == 2) }
        @Test func eighth() { #expect(sum(1, 1) == 2) }
        @Test func ninth() { #expect(sum(1, 1) == 2) }
        @Test func tenth() { #expect(sum(1, 1) == 2) }
        @Test func eleventh() { #expect(sum(1, 1) == 2) }
    }

    @Suite(.retryable) struct Retrying {
        @Test func first() { #expect(sum(1, 1) == 2) }
        @Test func second() { #expect(sum(1, 1) == 2) }
        @Test func third() { #expect(sum(1, 1) == 2) }
        @Test func fourth() { #expect(sum(1, 1) == 2) }
        @Test func fifth() { #expect(sum(1, 1) == 2) }
        @Test func sixth() { #expect(sum(1, 1) == 2) }
        @Test func seventh() { #expect(sum(1, 1) == 2) }
        @Test func eighth() { #expect(sum(1, 1) == 2) }
        @Test func ninth() { #expect(sum(1, 1) == 2) }
        @Test func tenth() { #expect(sum(1, 1) == 2) }
        @Test func eleventh() { #expect(sum(1, 1) == 2) }
    }

    private static func sum(_ one: Int, _ other: Int) -> Int { one + other }
}
