import Foundation
import Retryable

/// Three marks that flake at known rates, the same in each run that is given the same seed; see `KnownRatesTests`.
final class KnownRates: RetryableTestCase, Program {
    static var entries: [XCTestCaseEntry] {
        [testCase([("testNever", testNever), ("testSometimes", testSometimes), ("testMostly", testMostly)])]
    }

    /// SplitMix64.
    private struct Dice: RandomNumberGenerator {
        var state = UInt64(ProcessInfo.processInfo.environment["RATES_SEED"] ?? "") ?? 0

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
    }

    nonisolated(unsafe) private static var dice = Dice()  // tests run one after the other

    private var thrown: Double { Double.random(in: 0..<1, using: &Self.dice) }

    func testNever() {
        flaky(.fixable(reason: "was mended")) { XCTAssertGreaterThanOrEqual(thrown, 0) }
    }

    func testSometimes() {
        flaky(.fixable(reason: "flakes in one of ten")) { XCTAssertGreaterThanOrEqual(thrown, 0.1) }
    }

    func testMostly() {
        flaky(.fixable(reason: "fails in six of ten")) { XCTAssertGreaterThanOrEqual(thrown, 0.6) }
    }
}
