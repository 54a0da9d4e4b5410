import Foundation
import RetryReport

/// The tests with which another one fails, and the runs that confirm it; encoded as JSON.
struct OtherTests: Encodable {
    /// One test, or two that do so only together.
    let names: [String]
    /// The runs with them, and those without them.
    let with, without: Tally

    /// The options for `swift test` that run tests, in several parts because one argument may have 128 KiB at most.
    static func filters(_ names: [String]) -> [String] {
        var filters: [String] = []
        for name in names {
            let expression =
                name.hasSuffix(")")
                ? "^[^./]+\\.\(TestRecord.escaped(name))/"
                : "[.]\(TestRecord.escaped(name.replacingOccurrences(of: ".", with: "/")))$"
            if let last = filters.last, last.utf8.count + expression.utf8.count < 100_000 {
                filters[filters.count - 1] = "\(last)|\(expression)"
            } else {
                filters.append(expression)
            }
        }
        return filters.flatMap { ["--filter", $0] }
    }

    /// What is to be said of the test that fails with them, `name`.
    func sentences(of name: String) -> [String] {
        let isOne = names.count == 1
        let (before, help) =
            names[0].hasSuffix(")")
            ? (isOne ? "runs beside it" : "run beside it", ", or put them into one suite with .serialized")
            : ("\(isOne ? "has" : "have") run before it in the same process", ", or reset in tearDown what is shared")
        return [
            "\(name) fails when \(names.joined(separator: " and ")) \(before): "
                + "in \(with.text) runs, and in \(without.text) without.",
            "Give each test its own: a new object, a folder, a UserDefaults suite\(help).",
        ]
    }
}

/// The search for the tests with which another one fails.
///
/// It runs the test with parts of the others, each part until a sequential ratio test is clear: first with half of those that
/// are left, as one test is the usual answer, and if that leads to none, by QuickXplain, which also finds two.
struct OtherTestSearch {
    /// The runs of the test with all others, and those without them.
    private(set) var withAll: Tally
    let asIs: Tally
    /// Runs the test once with some of the others, and returns whether it failed.
    let fails: ([String]) throws -> Bool

    /// Returns one or two of the candidates with which the test fails, confirmed by runs that were not used to find them.
    mutating func result(among candidates: [String]) throws -> OtherTests? {
        guard !candidates.isEmpty else { return nil }
        // The better the rate is known, the sooner is each part clear; and what was chance ends here.
        for _ in 1...8 { withAll.add(try fails(candidates) ? .failed : .passed) }
        guard often > seldom, withAll.p(against: asIs) <= 0.05 else { return nil }
        var half = candidates
        while half.count > 1 {
            let (first, last) = (half.prefix(half.count / 2), half.dropFirst(half.count / 2))
            half = Array(try failsOften(with: Array(first)) ? first : last)
        }
        if try failsOften(with: half) { return try confirmed(half) }
        var found = try needed(of: candidates, with: [], isNew: false)
        if found.count == 2, let one = try found.first(where: { try failsOften(with: [$0]) }) { found = [one] }
        return found.count > 2 ? nil : try confirmed(found)
    }

    /// Returns the candidates without which the test does not fail, if it runs with `others`; `isNew` if it did not yet run
    /// with those alone.
    private func needed(of candidates: [String], with others: [String], isNew: Bool) throws -> [String] {
        if isNew, try failsOften(with: others) { return [] }
        if candidates.count == 1 { return candidates }
        let (first, last) = (candidates[..<(candidates.count / 2)], candidates[(candidates.count / 2)...])
        let ofLast = try needed(of: Array(last), with: others + first, isNew: true)
        // More than two are no answer, and come of a test that fails at random.
        if ofLast.count > 2 { return ofLast }
        return try needed(of: Array(first), with: others + ofLast, isNew: !ofLast.isEmpty) + ofLast
    }

    /// How often it is expected to fail with the tests that are looked for, and without them.
    private var often: Double { min(0.99, (Double(withAll.bad) + 0.5) / (Double(withAll.runs) + 1)) }
    private var seldom: Double { max(0.01, asIs.rate) }

    private func failsOften(with others: [String]) throws -> Bool {
        // Errors in 1 of 80 decisions, at most.
        let (limit, most) = (log(80.0), 200)
        var odds = 0.0
        for _ in 1...most where abs(odds) < limit {
            odds += try fails(others) ? log(often / seldom) : log((1 - often) / (1 - seldom))
        }
        return odds > 0
    }

    private func confirmed(_ names: [String]) throws -> OtherTests? {
        var (with, without) = (Tally(), Tally())
        for _ in 1...24 {
            with.add(try fails(names) ? .failed : .passed)
            without.add(try fails([]) ? .failed : .passed)
            if with.rate > without.rate, with.p(against: without) <= 0.005 {
                return OtherTests(names: names, with: with, without: without)
            }
        }
        return nil
    }
}
