import Groundwork
import Testing

@Suite("Control characters")
struct ControlCharacterTests {
    @Test("are shown as Swift writes them, and the text stays on one line")
    func escaped() {
        #expect("a\n\r\tb\u{1B}[31m".escapingControlCharacters == #"a\n\r\tb\u{1b}[31m"#)
        #expect(
            "\u{200E}\u{61C}\u{202E}\u{2066}\u{2028}".escapingControlCharacters
                == #"\u{200e}\u{61c}\u{202e}\u{2066}\u{2028}"#
        )
    }

    @Test("that are asked for stay, and nothing else changes")
    func kept() {
        #expect("a\nb\tc".escapingControlCharacters(except: ["\n"]) == "a\nb\\tc")
        #expect("naïve 👩‍👩‍👧 テスト".escapingControlCharacters == "naïve 👩‍👩‍👧 テスト")
    }
}
