import Testing

@testable import RetryReport

@Suite("The pace of writing what can wait")
struct WritePaceTests {
    @Test("leaves fifty times as long between two writes as the first of them took, and none before the first")
    func share() {
        var pace = WritePace()
        #expect(pace.isTime())
        pace.begin(at: 1_000)
        pace.end(at: 1_010)
        #expect(!pace.isTime(at: 1_011))
        #expect(!pace.isTime(at: 1_510))
        #expect(pace.isTime(at: 1_511))
    }
}
