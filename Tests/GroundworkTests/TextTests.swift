import Groundwork
import Testing

@Suite("Text")
struct TextTests {
    @Test("text shows control characters as Swift writes them, and stays on one line")
    func escaped() {
        #expect("a\n\r\tb\u{1B}[31m\0".escapingControlCharacters == #"a\n\r\tb\u{1b}[31m\u{0}"#)
        #expect(
            "\u{200E}\u{61C}\u{202E}\u{2066}\u{2028}\u{200B}\u{FEFF}".escapingControlCharacters
                == #"\u{200e}\u{61c}\u{202e}\u{2066}\u{2028}\u{200b}\u{feff}"#
        )
    }

    @Test("text keeps the control characters that it is asked to keep, and all other characters")
    func kept() {
        #expect("a\nb\tc".escapingControlCharacters(except: ["\n"]) == "a\nb\\tc")
        #expect("naïve 👩‍👩‍👧 テスト, \"quoted\"".escapingControlCharacters == "naïve 👩‍👩‍👧 テスト, \"quoted\"")
    }

    @Test(
        "the nearest name is the one that was likely meant, and none if all are far or too short to tell",
        arguments: [
            ("reprot", "report"), ("Report", "report"), ("max_retry-count", "maxRetryCount"), ("formt", "format"),
            ("RETRYABLE_MAXFLAKES", "RETRYABLE_MAX_FLAKES"), ("", nil), ("x", nil), ("chicken", nil), ("merge", nil),
        ] as [(String, String?)]
    )
    func nearest(typed: String, meant: String?) {
        let names = ["up", "check", "report", "format", "maxRetryCount", "RETRYABLE_MAX_FLAKES"]
        #expect(typed.nearest(to: names) == meant)
        #expect(typed.nearest(to: []) == nil)
    }

    @Test("a very long text is near no name, and is not compared as a whole")
    func long() {
        #expect(String(repeating: "report", count: 100_000).nearest(to: ["report"]) == nil)
    }
}
