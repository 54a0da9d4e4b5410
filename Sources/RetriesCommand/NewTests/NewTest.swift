import Foundation
import Groundwork
import RetryReport

/// What the runs of a new or changed test have shown.
enum NewTestVerdict: String, Encodable {
    case passed
    /// It failed only in sections with a mark, and passed again.
    case flaked
    case flaky
    /// It failed in each run as is.
    case broken
    /// It was skipped, as one is that is disabled.
    case skipped
    case notRun = "not run"
}

/// A test that `swift test list` names.
struct ListedTest {
    let module, name: String
    /// The name without back quotes.
    let plainName: String

    /// - Parameter line: Such as `ShopTests.CartTests/testFills`.
    init?(_ line: String) {
        let parts = line.split(separator: ".", maxSplits: 1).map { String($0) }
        guard parts.count == 2 else { return nil }
        (module, name, plainName) = (parts[0], parts[1], parts[1].unquoted)
    }
}

extension SwiftDeclaration {
    /// Whether `swift test list` would name this test, as it names others of its kind, suite and target, if it was built.
    func isListed(beside listed: [ListedTest], in file: String) -> Bool {
        let suite = key.path.joined(separator: key.kind == .test ? "/" : ".") + "/"
        let isUnavailable = code.prefix { $0 != "{" }.contains(", unavailable")
        let isBuilt = !isConditional && !isUnavailable && !key.path.isEmpty
        return isBuilt
            && listed.contains { test in
                file.hasPrefix("Tests/\(test.module)/") && test.plainName.hasPrefix(suite)
                    && test.plainName.hasSuffix(")") == (key.kind == .test)
            }
    }
}

/// A test that is new or changed, and how its runs ended; encoded as JSON.
struct NewTest: Encodable, Located {
    /// The name, such as `CartTests/testFills` or `Cart/fills(_:)`; with the module if another of these tests has the same.
    private(set) var name: String
    /// The place of its declaration, from the root of the repository.
    let file: String?
    let line: Int?
    let module: String
    /// The expression for `swift test --filter`.
    let filter: String
    /// The name in the output of its runs.
    let outputName: String
    private(set) var verdict = NewTestVerdict.notRun
    private(set) var wasSkipped = false
    /// The runs in which it ran, by their condition, `as-is` or `alone`.
    private(set) var runs: [String: Tally] = [:]
    private(set) var failures: [TestOutput.TestFailure] = []
    /// The first failure and its place.
    private(set) var failure: String?
    private(set) var cause: String?
    /// The command that reproduces the failure.
    private(set) var command: String?

    private enum CodingKeys: CodingKey { case name, file, line, filter, verdict, runs, failure, cause, command }

    /// The tests of a declaration, which are several if classes inherit it, and none if `swift test list` does not name it.
    /// A head or a `setUp` stands for all tests of its type, inherited ones and those of other files, too. `prefix` is the path
    /// of the package in its repository.
    static func all(
        of declaration: SwiftDeclaration,
        in file: String,
        after prefix: String,
        listed: [ListedTest],
        subclasses: [String: [String]]
    ) -> [NewTest] {
        let (key, isXCTest) = (declaration.key, declaration.key.kind != .test)
        var types = [key.path.joined(separator: isXCTest ? "." : "/")]
        while isXCTest, declaration.isTest {
            let more = types.flatMap { subclasses[$0] ?? [] }.filter { !types.contains($0) }
            if more.isEmpty { break }
            types += more
        }
        let name = declaration.isTest ? key.name : ""
        if !declaration.isTest { types.append(key.path.joined(separator: "/")) }
        let names = Set(types.map { $0.isEmpty ? name : "\($0)/\(name)" })
        let isOfAll = key.kind == .quickSpec || !declaration.isTest
        func isNamed(_ name: String) -> Bool {
            names.contains(name) || isOfAll && names.contains(where: name.hasPrefix)
        }
        var own = listed.filter { isNamed($0.plainName) }
        // An extension may name the module of its type: `extension Shop.Cart { @Suite struct Fills {} }`.
        if own.isEmpty, key.path.count > 1 { own = listed.filter { isNamed("\($0.module)/\($0.plainName)") } }
        let tests = own.map { test in
            let isXCTest = declaration.isTest ? isXCTest : !test.plainName.hasSuffix(")")
            let words = test.name.split { "./".contains($0) }.suffix(2).joined(separator: ".")
            return NewTest(
                name: test.name,
                file: prefix + file,
                line: declaration.line,
                module: test.module,
                filter: "^\(TestRecord.escaped("\(test.module).\(test.name)"))\(isXCTest ? "$" : "/")",
                outputName: isXCTest ? words : test.name
            )
        }
        // Two modules may have a type of this name, and each is in a folder of its module's name.
        func isHere(_ test: NewTest) -> Bool { file.hasPrefix("Tests/\(test.module)/") }
        func type(_ test: NewTest) -> Substring { test.name.prefix { $0 != "/" } }
        let here = Set(tests.filter(isHere).map(type))
        return tests.filter { isHere($0) || !here.contains(type($0)) }
    }

    /// Adds its module to each name that several tests share.
    static func tellApart(_ tests: inout [NewTest]) {
        let counts = Dictionary(grouping: tests, by: \.outputName).mapValues(\.count)
        for index in tests.indices where counts[tests[index].outputName] != 1 {
            tests[index].name = "\(tests[index].module).\(tests[index].name)"
        }
    }

    /// Groups of tests, by their indices, of which each can run together: the output tells them apart, and SwiftPM hands XCTest
    /// their filter in one argument, of 128 KiB at most.
    static func groups(of tests: [NewTest]) -> [[Int]] {
        var groups: [(tests: [Int], names: Set<String>, size: Int)] = []
        for (index, test) in tests.enumerated() {
            let size = test.filter.utf8.count + 1
            let place = groups.firstIndex { $0.size + size < 100_000 && !$0.names.contains(test.outputName) }
            if place == nil { groups.append(([], [], 0)) }
            let group = place ?? groups.count - 1
            groups[group].tests.append(index)
            groups[group].names.insert(test.outputName)
            groups[group].size += size
        }
        return groups.map(\.tests)
    }

    var isBad: Bool { verdict == .flaky || verdict == .broken }
    var hasRun: Bool { runs.values.contains { $0.runs > 0 } }
    /// Whether it may run alone, also if it did not run with others.
    var mayRun: Bool { hasRun || !wasSkipped }

    // MARK: - Its runs

    static let (asIs, alone) = ("as-is", "alone")

    /// - Parameter failures: Those of all tests that ran with it.
    mutating func add(
        _ rows: [ConditionComparison.Row],
        _ failures: some Sequence<TestOutput.TestFailure>,
        isAlone: Bool
    ) {
        for row in rows {
            runs[isAlone ? Self.alone : row.condition?.rawValue ?? Self.asIs] = row.tests[outputName]
            if row.unproven.contains(outputName) { wasSkipped = true }
        }
        self.failures += failures.filter { $0.test == outputName }
    }

    /// - Parameter level: The probability that is allowed for each cause that is named by chance.
    mutating func judge(level: Double, running test: [String]) {
        let (asIs, all) = (runs[Self.asIs] ?? Tally(), total)
        let real = all.bad - all.flaked
        let withoutRun = wasSkipped ? NewTestVerdict.skipped : .notRun
        verdict = all.runs == 0 ? withoutRun : real == 0 ? all.bad == 0 ? .passed : .flaked : .flaky
        guard isBad else { return }
        if asIs.runs > 0, asIs.bad - asIs.flaked == asIs.runs { verdict = .broken }
        failure = (failures.first { $0.file != nil } ?? failures.first).map {
            "\($0.message.isEmpty && $0.isCrash ? "it did not end" : $0.message)\($0.atPlace)"
        }
        let rows = runs.compactMap { name, tally in Condition(rawValue: name).map { ($0, tally) } }
        var condition = rows.filter { $1.rate > asIs.rate }.max { $0.1.rate < $1.1.rate }?.0
        let differences = rows.map { ($0, $1, $1.p(against: asIs)) }.filter { $2 <= level }.sorted { $0.2 < $1.2 }
        if let (different, tally, _) = differences.first {
            let (cause, observation) = different.finding(tally, asIs: asIs)
            self.cause = cause.map { $0.prefix(1).lowercased() + $0.dropFirst() } ?? "it \(observation)"
        } else if let alone = runs[Self.alone], alone.rate != asIs.rate, alone.p(against: asIs) <= level {
            cause = "it depends on the other tests"
            if alone.rate < asIs.rate { condition = .withAll }
        }
        let under = condition.map { " --under \($0.rawValue)" } ?? ""
        let words = (test + ["--filter", filter]).map(\.shellWord).joined(separator: " ")
        command = "swift run retries repeat 20\(under) -- \(words)"
    }

    private var total: Tally {
        runs.values.reduce(Tally()) {
            Tally(runs: $0.runs + $1.runs, bad: $0.bad + $1.bad, flaked: $0.flaked + $1.flaked)
        }
    }

    /// How its runs ended, such as `failed in 7 of 62 runs: 0 of 20 as is, 7 of 14 with delays`.
    var ending: String {
        let all = total
        let words = [Self.asIs: "as is", Self.alone: Self.alone]
        let parts = ([Self.asIs] + Condition.allCases.map(\.rawValue) + [Self.alone]).compactMap { name -> String? in
            guard let tally = runs[name], tally.bad > 0 || words[name] != nil else { return nil }
            return "\(tally.text) \(words[name] ?? "with \(name)")"
        }
        switch verdict {
        case .notRun: return "did not run"
        case .skipped: return "was skipped"
        case .passed: return "passed in \(all.runs.of("run"))"
        case .flaked: return "flaked inside its mark in \(all.bad) of \(all.runs.of("run")), and passed again"
        case .flaky, .broken:
            let word = verdict == .broken ? "is broken: it failed" : "failed"
            return "\(word) in \(all.bad - all.flaked) of \(all.runs.of("run")): \(parts.joined(separator: ", "))"
        }
    }
}
