import Groundwork
import Testing

@Suite("The nearest name")
struct NearestNameTests {
    @Test(
        "is the one that was likely meant",
        arguments: [
            ("reprot", "report"), ("Report", "report"), ("max_retry-count", "maxRetryCount"), ("formt", "format"),
            ("RETRYABLE_MAXFLAKES", "RETRYABLE_MAX_FLAKES"),
        ]
    )
    func near(typed: String, meant: String) {
        #expect(typed.nearest(to: ["check", "report", "format", "maxRetryCount", "RETRYABLE_MAX_FLAKES"]) == meant)
    }

    @Test("is none where all are far, or too short to tell", arguments: ["", "x", "chicken", "merge"])
    func far(typed: String) {
        #expect(typed.nearest(to: ["up", "check", "report"]) == nil)
        #expect(typed.nearest(to: []) == nil)
    }

    @Test("of a very long text is found without comparing all of it")
    func long() {
        #expect(String(repeating: "report", count: 100_000).nearest(to: ["report"]) == nil)
    }
}
