import Foundation
import TestSupport
import Testing

@testable import RetriesCommand

@Suite("The tests with which another one fails")
struct OtherTestsTests {
    /// Searches among 500 tests, 40 times.
    ///
    /// - Parameter isLucky: Whether the runs before the search showed a difference by chance.
    /// - Returns: The number of searches that named exactly these tests, of those that named any, and the median of runs.
    private func searches(
        _ others: String...,
        often: Double,
        seldom: Double = 0,
        isLucky: Bool = false
    ) throws -> (right: Int, named: Int, runs: Int) {
        var dice = Dice(seed: 1)
        let candidates = (0..<500).map { "T.\($0)" }
        var (right, named, counts) = (0, 0, [Int]())
        for _ in 0..<40 {
            var runs = 0
            func fails(_ names: [String]) -> Bool {
                runs += 1
                let rate = others.allSatisfy(names.contains) ? often : seldom
                return Double.random(in: 0..<1, using: &dice) < rate
            }
            var (withAll, asIs) = (Tally(), Tally())
            repeat {
                withAll.add(isLucky || fails(candidates) ? .failed : .passed)
                asIs.add(!isLucky && fails([]) ? .failed : .passed)
            } while withAll.p(against: asIs) > 0.006
            runs = 0
            var search = OtherTestSearch(withAll: withAll, asIs: asIs, fails: fails)
            let result = try search.result(among: candidates)
            if let result { (named, right) = (named + 1, right + (result.names == others ? 1 : 0)) }
            counts.append(runs)
        }
        return (right, named, counts.sorted()[20])
    }

    @Test("one of 500 tests is found in few runs if it makes a test fail each time, and in more if in half of the runs")
    func one() throws {
        for place in ["T.0", "T.177", "T.499"] {
            let always = try searches(place, often: 1)
            #expect(always.right == 40)
            #expect(always.runs < 60, "\(always)")
            let half = try searches(place, often: 0.5)
            #expect(half.right >= 35 && half.named - half.right <= 2, "\(half)")
            #expect(half.runs < 180, "\(half)")
        }
    }

    @Test("two tests that make a third fail only together are both found")
    func two() throws {
        let pair = try searches("T.30", "T.400", often: 1)
        #expect(pair.right == 40)
        #expect(pair.runs < 90, "\(pair)")
    }

    @Test("a test that fails at random is given no other, even if the runs that were counted show a difference")
    func chance() throws {
        for rate in [0.1, 0.3, 0.5] {
            let coin = try searches(often: rate, isLucky: true)
            #expect(coin.named <= 1, "\(coin)")
            // The eight runs that begin a search end most that chance began, if the test seldom fails.
            if rate == 0.1 { #expect(coin.runs == 8, "\(coin)") }
        }
    }

    @Test("a filter that is too long for one argument is divided")
    func filters() {
        #expect(OtherTests.filters(["C.t", "S/a(_:)"]) == ["--filter", #"[.]C/t$|^[^./]+\.S/a\(_:\)/"#])
        let many = OtherTests.filters((0..<2000).map { "LongNamesOfClassesTests.testOfALongerName\($0)WithMoreWords" })
        #expect(many.count == 4)
        #expect(many.allSatisfy { $0.utf8.count < 128 << 10 })
    }

    /// A substitute for swift: it runs those of nine tests that the filters name, and `C.sum` fails after `C.fills`, `C.ends` after
    /// all others, `S/sum()` beside `S/a()` and `S/c()`.
    private static let swift = #"""
        #!/bin/bash
        while [ $# -gt 0 ]; do [ "$1" = --filter ] && { filter="$filter|$2"; shift; }; shift; done
        filter="${filter#|}"; code=0
        # A run in the middle of the search cannot run.
        echo x >>count; [ "$(grep -c x count)" = 25 ] && { echo "error: the package is locked"; exit 1; }
        for test in C.opens C.fills C.lists C.sum C.ends; do
            [[ M.${test/.//} =~ ${filter:-.} ]] || continue
            ran="$ran $test"; echo "Test Case '$test' started at 9:30"; end=passed
            if [[ $test = C.sum && $ran = *C.fills* || $test = C.ends && $ran = *opens*fills*lists*sum* ]]; then
                end=failed; code=1; echo "/C.swift:3: error: $test : not 3 - "
            fi
            echo "Test Case '$test' $end (0.1 seconds)"
        done
        for test in 'S/a()' 'S/b()' 'S/c()' 'S/sum()'; do
            [[ M.$test/ =~ ${filter:-.} ]] || continue
            ran="$ran $test"; echo "◇ Test $test started."; end=passed
            if [[ $test = 'S/sum()' && $ran = *S/a*S/c* ]]; then
                end=failed; code=1; echo "✘ Test $test recorded an issue at S.swift:3:1: not 3"
            fi
            echo "✔ Test $test $end after 0.1 seconds."
        done
        exit $code
        """#

    private func why(_ options: String = "", filter: String) async throws -> ChildRun {
        try await ScriptRuns().swiftTest(
            "why --conditions with-all --runs 10 \(options)",
            ["--filter", filter],
            swift: Self.swift
        )
    }

    @Test("retries why takes no test that another one's crash has interrupted for one that depends on others")
    func interrupted() async throws {
        let swift = #"""
            #!/bin/bash
            echo "◇ Test S/waits() started."
            case "$*" in *--filter*) echo "✔ Test S/waits() passed after 0.1 seconds."; exit;; esac
            echo "◇ Test S/traps() started."
            echo "*** Program crashed: Aborted at 0x7d45 ***"; printf 'Thread 0 crashed:\n\n  1 0x1 S.traps() + 1 in x\n'
            kill -ABRT $$
            """#
        let options = "why --conditions with-all --runs 10"
        let why = try await ScriptRuns().swiftTest(options, ["--filter", "S/waits"], swift: swift)
        #expect(why.output.contains("  with all  not run"), "\(why.output)")
        #expect(why.output.contains("No condition makes a difference that 10 runs show."))
        let line =
            "run 2 under with-all does not show how the tests ended by which it is judged; runs like it do not count"
        #expect(why.errorOutput.count { $0 == "retries: \(line)" } == 1)
    }

    @Test("retries why names the test that has to run before one that fails")
    func before() async throws {
        let why = try await why(filter: "C/sum")
        #expect(why.errorOutput.contains("retries: C.sum fails more often with all; looking among 3 others"))
        let sentence =
            "It fails when C.fills has run before it in the same process: in 6 of 6 runs, and in 0 of 6 without."
        #expect(why.output.contains(sentence), "\(why.output)")
        let command = "  swift run retries repeat 20 -- swift test --filter C/sum --filter '[.]C/fills$'"
        #expect(why.output.contains(command), "\(why.output)")
    }

    @Test("retries why names two tests that have to run beside one that fails")
    func beside() async throws {
        let why = try await why("--format json", filter: "S/sum")
        let document = try JSONSerialization.jsonObject(with: why.outputBytes) as? [String: Any]
        #expect((document?["otherTests"] as? [String: Any])?["names"] as? [String] == ["S/a()", "S/c()"])
        let sentences = document?["sentences"] as? [String]
        #expect(sentences?.contains { $0.hasPrefix("It fails when S/a() and S/c() run beside it: in ") } == true)
    }

    @Test("retries why says that it found no other test if it takes more than two")
    func more() async throws {
        let why = try await why(filter: "C/ends")
        let sentence = "No other test, and no two, were found in this time (--for) that make C.ends fail."
        #expect(why.output.contains(sentence), "\(why.output)")
        #expect(why.output.contains("  swift run retries repeat 20 --under with-all -- swift test --filter C/ends"))
    }
}
