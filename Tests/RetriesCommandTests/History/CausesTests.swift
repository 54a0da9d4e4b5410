import RetryReport
import Testing

@testable import RetriesCommand

@Suite("Marks that flake together")
struct FlakeClusterTests {
    typealias Row = (marks: [String], groups: [[Int]])

    /// A character for each run: `x` flaked, `.` did not, and a space where the mark was not entered.
    private static func runs(_ text: String) -> [Bool?] { text.map { $0 == " " ? nil : $0 == "x" } }

    private static let night = String(repeating: ".", count: 30) + "x" + String(repeating: ".", count: 29)

    static let rows: [Row] = [
        ([], []),
        (["x"], []),
        // Ten runs in which two marks flake in the same five are rare: 1 in 252 pairs.
        (["x.x.x.x.x.", "x.x.x.x.x."], [[0, 1]]),
        // In four of six they are not.
        (["x.xxx.", "x.xxx."], []),
        // Two flakes are too few, however rare.
        (["x" + night + "x", "x" + night.replacing(["x": "."]) + "x"], []),
        // Always, and never.
        ([String(repeating: "x", count: 60), String(repeating: "x", count: 60)], []),
        // One night on which everything failed.
        (Array(repeating: night, count: 20), []),
        // The runs that entered both count, no others.
        (["x.x.x.x.x.    xxxx", "x.x.x.x.x.xxxx    "], [[0, 1]]),
        (["x.x.x.x.x.          ", "          x.x.x.x.x."], []),
        // Two groups, and a mark that flakes in other runs; the larger first.
        (
            [
                "x...x...x...x...", ".x.x.....x.x...x", "x...x...x...x...", "..x...x...x...x.", ".x.x.....x.x...x",
                ".x.x.....x.x...x",
            ], [[1, 4, 5], [0, 2]]
        ),
    ]

    @Test("marks that flake together more often than chance explains are a group", arguments: rows)
    func table(row: Row) {
        #expect(FlakeCluster.clusters(of: row.marks.map(Self.runs)).map(\.marks) == row.groups)
    }

    @Test("marks that flake together are counted beside what chance would do")
    func counts() throws {
        let marks = ["xxxx.x..........", "xxx..x..........", "xxxx............"]
        let group = try #require(FlakeCluster.clusters(of: marks.map(Self.runs)).first)
        #expect((group.runs, group.together) == (5, 5))
        // 16 runs, rates of 5/16, 4/16 and 4/16, and two or three of three.
        let (a, b, c) = (5.0 / 16, 0.25, 0.25)
        let chance = a * b * (1 - c) + a * (1 - b) * c + (1 - a) * b * c + a * b * c
        #expect(abs(group.byChance - 16 * chance) < 1e-9)
    }

    @Test("marks that flake together are found in 38 of 40 histories, but for one mark and with one stranger")
    func planted() {
        let found = (1...40).count { seed in
            var dice = Dice(seed: seed)
            let rates = (0..<40).map { _ in 0.02 + 0.08 * dice.roll() }
            var marks = [[Bool?]](repeating: [], count: 55)
            for _ in 0..<60 {
                let causes = (0..<2).map { _ in dice.roll() < 0.18 }
                for mark in 0..<15 { marks[mark].append(causes[mark < 6 ? 0 : 1] && dice.roll() < 0.9) }
                for mark in 15..<55 { marks[mark].append(dice.roll() < rates[mark - 15]) }
            }
            let groups = FlakeCluster.clusters(of: marks).map { Set($0.marks) }
            return groups.count == 2
                && [Set(0..<6), Set(6..<15)].allSatisfy { cause in
                    groups.contains { $0.subtracting(cause).count <= 1 && cause.subtracting($0).count <= 1 }
                }
        }
        #expect(found >= 38)
    }

    @Test("independent marks are no group in 95 of 100 histories, even if all flaked in one night")
    func independent() {
        var quiet = (usual: 0, withNight: 0)
        for seed in 1...100 {
            var dice = Dice(seed: seed)
            var marks = (0..<50).map { _ -> [Bool?] in
                let rate = 0.02 + 0.08 * dice.roll()
                return (0..<60).map { _ in dice.roll() < rate }
            }
            if FlakeCluster.clusters(of: marks).isEmpty { quiet.usual += 1 }
            for mark in marks.indices { marks[mark][30] = true }
            if FlakeCluster.clusters(of: marks).isEmpty { quiet.withNight += 1 }
        }
        #expect(quiet.usual >= 95)
        #expect(quiet.withNight >= 95)
    }
}

@Suite("A change of a mark's rate")
struct RateChangeTests {
    typealias Row = (runs: String, first: Int?, range: ClosedRange<Int>?)

    static let rows: [Row] = [
        ("", nil, nil),
        ("....xxxxx", nil, nil),  // four runs on one side are too few
        (".....xxxxx", 5, 5...5),
        ("xxxxx.....", 5, 5...5),
        ("......xxx..x.x.x", nil, nil),
        ("....................xxxxx", 20, 19...20),
        ("xxxxxxxxxxxxxxxxxxxxxxxxx", nil, nil),
        (".........................", nil, nil),
        ("x.x.x.x.x.x.x.x.x.x.x.x.x", nil, nil),
        ("...............x..............x.xx.x.xxx.x.xx", 30, 27...32),
    ]

    @Test("a change of a mark's rate is reported if chance does not explain it", arguments: rows)
    func table(row: Row) {
        let change = RateChange(row.runs.map { $0 == "x" })
        #expect(change?.first == row.first)
        #expect(change?.range == row.range)
    }

    @Test("a change of a mark's rate is reported after three flakes in five runs, if 55 runs before had none")
    func soon() {
        let flaked = String(repeating: ".", count: 55) + "x.xx."
        #expect(RateChange(flaked.map { $0 == "x" })?.first == 55)
    }

    @Test("a change of a mark's rate has the rates before and after")
    func rates() throws {
        let change = try #require(RateChange((0..<80).map { $0 == 3 || $0 == 9 || $0 >= 40 && $0 % 2 == 0 }))
        #expect((change.before, change.after) == (0.05, 0.5))
    }

    @Test("the probability of a change of rate agrees with permutations")
    func permutations() {
        // Of the 252 orders of five flakes in ten runs, two are split in the middle; there is no other split.
        #expect(RateChange(".....xxxxx".map { $0 == "x" }, level: 2.001 / 252) != nil)
        #expect(RateChange(".....xxxxx".map { $0 == "x" }, level: 1.999 / 252) == nil)
    }

    @Test(
        "a change of a mark's rate is found in most histories, with the true run in its range",
        arguments: [(0.02, 0.5, 120, 95, 10), (0.04, 0.3, 240, 90, 240)]
    )
    func found(before: Double, after: Double, runs: Int, least: Int, width: Int) {
        let changes = (1...100).compactMap { seed -> RateChange? in
            var dice = Dice(seed: seed)
            return RateChange((0..<runs).map { dice.roll() < ($0 < runs / 2 ? before : after) })
        }
        #expect(changes.count >= least)
        #expect(changes.count { $0.range.contains(runs / 2) } >= 90)
        #expect(changes.map(\.range.count).sorted()[changes.count / 2] <= width)
    }

    @Test("a change of a constant rate is reported in at most 5 of 100 histories", arguments: [0.02, 0.1, 0.4])
    func constant(rate: Double) {
        let changes = (1...100).count { seed in
            var dice = Dice(seed: seed)
            return RateChange((0..<120).map { _ in dice.roll() < rate }) != nil
        }
        #expect(changes <= 5)
    }
}

@Suite("The kind of a failure")
struct FailureKindTests {
    static let pairs: [(first: String, second: String, areEqual: Bool)] = [
        (
            "XCTAssertEqual failed: (\"3\") is not equal to (\"14\")",
            "XCTAssertEqual failed: (\"\") is not equal to (\"-3\")", true
        ),
        (
            "XCTAssertEqual failed: (\"a \"b\" c\") is not equal to (\"d\")",
            "XCTAssertEqual failed: (\"\") is not equal to (\"e\")", true
        ),
        (
            "XCTAssertEqual failed: (\"nil\") is not equal to (\"Optional(\"EUR\")\") - the currency of \"cart\"",
            "XCTAssertEqual failed: (\"nil\") is not equal to (\"Optional(\"ada\")\") - the owner of \"cart\"", false
        ),
        (
            "XCTAssertEqual failed: (\"nil\") is not equal to (\"Optional(\"ada\")\")",
            "XCTAssertEqual failed: (\"Optional(\"bob\")\") is not equal to (\"Optional(\"ada\")\")", true
        ),
        (
            "threw error \"Error Domain=A Code=4 \"No file.\"UserInfo={a=1, b={Error Domain=B UserInfo={c=d}}}\" - paid twice",
            "threw error \"Error Domain=A Code=4 \"No file.\"UserInfo={b={Error Domain=B UserInfo={c=e}}}\" - lost",
            false
        ),
        (
            "XCTAssertNil failed: \"Error Domain=A Code=4 \"No.\" UserInfo={a={b}, c=d}\" - {ada} paid twice, see {log}",
            "XCTAssertNil failed: \"Error Domain=A Code=4 \"No.\" UserInfo={c=e}\" - {ada} is late, see {log}", false
        ),
        (
            "Caught error: Error Domain=A Code=4 \"No.\" UserInfo={a={b}, c=d}: late, see {log}",
            "Caught error: Error Domain=A Code=4 \"No.\" UserInfo={c=e, a={f}}: late, see {log}", true
        ),
        ("Expectation failed: f(a → \"x\", b → \"y\")", "Expectation failed: f(a → \"x\", c → \"y\")", false),
        (
            "Expectation failed: (body → \"{\"a\":\"b\"}\", ok → \"{\"a\":\"c\"}\"): not done",
            "Expectation failed: (body → \"\", ok → \"{\"a\":\"c\"}\"): not done", true
        ),
        (
            "Expectation failed: (body → \"{\"status\":\"ok\"}\") == \"\"",
            "Expectation failed: (body → \"\") == \"\"", true
        ),
        ("Expectation failed: (count → 3) == 4", "Expectation failed: (count → -12) == 4", true),
        ("Expectation failed: (a → []) == [\"b\"]", "Expectation failed: (a → [\"c\", \"d\"]) == [\"b\"]", true),
        ("Expectation failed: (a → nil) == \"b\"", "Expectation failed: (a → \"c d\") == \"b\"", true),
        ("Expectation failed: (a → .late) == .done", "Expectation failed: (a → .lost) == .done", false),
        ("Expectation failed: (a → nil) == 1", "Expectation failed: (b → nil) == 1", false),
        (
            "XCTAssertNil failed: \"P(name: \"ada\", city: nil)\" - nobody yet",
            "XCTAssertNil failed: \"P(name: \"bob smith\", city: Optional(\"b\"))\" - nobody yet", true
        ),
        ("XCTAssertNil failed: \"P(a: \"b\")\" - nobody yet", "XCTAssertNil failed: \"P(a: \"b\")\" - lost", false),
        (
            "Expectation failed: (items → [1, 2, 3]) == [\"a\"]", "Expectation failed: (items → [4]) == [\"b\", \"c\"]",
            true
        ),
        ("<Shop: 0x7f8a10> is gone", "<Shop: 0x00006000014> is gone", true),
        ("no order E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "no order abcdefab-abcd-abcd-abcd-abcdefabcdef", true),
        ("late by 1.5 s", "late by 900 ms", true),
        ("took 2 seconds, at 2026-03-01T09:30:00.250Z", "took 1 second, at 2026-03-01 10:30:00", true),
        ("the user 'eve' doesn't exist", "the user 'bob o’hara' doesn't exist", true),
        ("cannot open `a.json`", "cannot open `b.json`", true),
        ("port 8080: refused", "port 9: refused", true),
        (
            "Caught error: Error Domain=NSURLErrorDomain Code=-1004 \"no\" UserInfo={URL=http://a/x, Reason=none}",
            "Caught error: Error Domain=NSURLErrorDomain Code=-1004 \"no\" UserInfo={Reason=none, URL=http://a/x}",
            true
        ),
        (
            "Caught error: Error Domain=Shop Code=1 \"(null)\"UserInfo={NSLocalizedDescription=it was paid twice}",
            "Caught error: Error Domain=Shop Code=1 \"(null)\"UserInfo={NSLocalizedDescription=it is late}", false
        ),
        (
            "Error Domain=A Code=2 \"(null)\"UserInfo={NSLocalizedDescription=a, b={Error Domain=B UserInfo={NSLocalizedDescription=c}}}",
            "Error Domain=A Code=2 \"(null)\"UserInfo={b={Error Domain=B UserInfo={NSLocalizedDescription=c}}, NSLocalizedDescription=a}",
            true
        ),
        (
            "Caught error: Error Domain=Shop Code=1 \"it was paid twice by “ada”\" UserInfo={a=b}",
            "Caught error: Error Domain=Shop Code=1 \"it is late for “bob”\" UserInfo={a=b}", false
        ),
        (
            "expected Pay, but \"Error Domain=A Code=4 \"no\" UserInfo={a={b}}\" was thrown instead: it was paid twice",
            "expected Pay, but \"Error Domain=A Code=4 \"no\" UserInfo={a={b}}\" was thrown instead: it is late", false
        ),
        ("failed: \"ada\" was rejected by \"a bank\"", "failed: \"ada\" is waiting for \"a bank\"", false),
        ("expected \"a\" but \"ada\" was returned", "expected \"a\" but \"bob\" was returned", true),
        ("expected: \"ada\", got: \"x\"", "expected: \"bob\", got: \"y\"", true),
        ("the server says: error \"no user ada\"", "the server says: error \"no user bob\"", true),
        (
            "Error Domain=A Code=1 \"(null)\" - shop; Error Domain=B Code=2 \"late\" UserInfo={a=b}",
            "Error Domain=A Code=1 \"(null)\" - bank; Error Domain=C Code=2 \"late\" UserInfo={a=b}", false
        ),
        (
            "Code=1 \"(null)\"UserInfo={NSLocalizedDescription=payment failed, it was paid twice, a=b}",
            "Code=1 \"(null)\"UserInfo={NSLocalizedDescription=payment failed, it is late, a=b}", false
        ),
        (
            "with unfulfilled expectations: \"the page\", \"the customer is paid\".",
            "with unfulfilled expectations: \"the page\", \"the preview is shown\".", false
        ),
        ("threw error \"timedOut\"", "threw error \"chargedTwice\"", false),
        ("failed: caught error: \"timedOut\"", "failed: caught error: \"chargedTwice\"", false),
        (
            "an error was thrown when none was expected: \".late\" of type Pay: paid \"a\"",
            "an error was thrown when none was expected: \".lost\" of type Pay: paid \"b\"", false
        ),
        (
            "expected error \".offline\" of type Pay, but \".no(id: \"eve\")\" of type Pay was thrown instead",
            "expected error \".offline\" of type Pay, but \".no(id: \"bob\")\" of type Pay was thrown instead", true
        ),
        (
            "expected error \".offline\" of type Pay, but \".late\" of type Pay was thrown instead",
            "expected error \".offline\" of type Pay, but \".lost\" of type Pay was thrown instead", false
        ),
        (
            "Exceeded timeout of 1 seconds, with unfulfilled expectations: \"the preview is shown\".",
            "Exceeded timeout of 1 seconds, with unfulfilled expectations: \"the customer is paid\".", false
        ),
        ("threw error \"refused(port: 80)\"", "threw error \"refused(port: 8080)\"", true),
        ("threw error \"no(user: \"eve\")\"", "threw error \"no(user: \"bob\")\"", true),
        ("threw error \"timedOut\" - order \"abc\"", "threw error \"timedOut\" - order \"x y\"", true),
        ("(got → [.read, .write, .run]) == all", "(got → [.run, .read, .write]) == all", true),
        ("(got → [.read, .write]) == all", "(got → [.read, .run]) == all", false),
        ("(got → [.read: true, .write: false])", "(got → [.write: false, .read: true])", true),
        ("was confirmed 1 time, but expected 5 times", "was confirmed 2 times, but expected 5 times", true),
        ("XCTAssertTrue failed", "XCTAssertFalse failed", false),
        ("Expectation failed: (user → nil) != nil", "Expectation failed: (order → nil) != nil", false),
        ("threw error \"timeout\"", "XCTAssertEqual failed: (\"timeout\")", false),
        ("the token is missing", "the token is late", false),
        ("threw error \"http2GoAway\"", "threw error \"sha256Mismatch\"", false),
        ("Expectation failed: base64.isEmpty", "Expectation failed: utf8.isEmpty", false),
        ("user42 is locked, request 3f2a9c1b", "user7 is locked, request de07ab44", true),
        ("no a1b2c3 or Zk4Qw9", "no 9f or x7tR2p", true),
        ("", "failed", false),
    ]

    @Test(
        "the kind of a failure depends on its words, not on their order, numbers, times, addresses, UUIDs and quotations",
        arguments: pairs
    )
    func kinds(first: String, second: String, areEqual: Bool) {
        #expect((FailureKind(first) == FailureKind(second)) == areEqual)
    }

    @Test("the kind of a failure with a long or hostile message is found without delay")
    func long() {
        for message in ["(\"", "\"", "'", "1 ", "-", "[1, ", "a1-", "ab1", "user"] {
            #expect(!FailureKind(String(repeating: message, count: 100_000)).text.isEmpty)
        }
    }
}
