import Foundation

extension TestOutput.TestFailure {
    /// In place of a test's name, for a crash of which only its backtrace could tell whose it is.
    private static let unknown = "one of several tests"
    private static let reason = LinePattern(#"(Fatal error.*)$|^\*\*\* Program crashed: (.+) at 0x"#)
    /// A call in a backtrace that is in a source file, and not one of the runtime's.
    private static let call = LinePattern(#"^ *\d+ (?!.*\[system\]).* at (/.+\.swift):(\d+):\d+$"#)

    /// Finds whose crashes ended the processes of a run.
    ///
    /// - Parameters:
    ///   - open: The tests that did not end.
    ///   - ended: Those that did.
    ///   - hasDied: SwiftPM says that a process crashed, or XCTest's output has no end.
    static func crashes(
        of open: Set<String>,
        after ended: Set<String>,
        hasDied: Bool,
        in output: String
    ) -> [Self] {
        let (backtraces, rest) = Backtrace.all(in: output)
        let (last, earlier) = (backtraces.filter { !$0.isFollowed }, backtraces.filter(\.isFollowed))
        // Each XCTest that did not end crashed in a process of its own; those of Swift Testing ran beside each other.
        let testing = open.filter(TestOutput.isOfSwiftTesting)
        let xctests = open.subtracting(testing).sorted()
        var processes = xctests.map { [$0] } + (testing.isEmpty ? [] : [testing.sorted()])
        if processes.isEmpty, hasDied { processes = [[]] }
        func crash(_ test: String, _ backtrace: Backtrace?, isLeftBehind: Bool = false) -> Self {
            let place = call.groups(in: backtrace?.calls ?? "").first
            let words = backtrace?.before ?? (processes.count == 1 ? rest : "")
            return Self(
                test: test,
                file: place?[0],
                line: place.flatMap { Int($0[1]) },
                message: reason.groups(in: words).first?.joined() ?? "",
                isXCTest: test != unknown && !TestOutput.isOfSwiftTesting(test),
                isCrash: true,
                isLeftBehind: isLeftBehind
            )
        }
        return processes.flatMap { tests -> [Self] in
            func named(in backtraces: [Backtrace]) -> [Self] {
                backtraces.compactMap { backtrace in
                    tests.first { backtrace.names($0) }.map { crash($0, backtrace) }
                }
            }
            // With Swift Build, each target has a process of Swift Testing.
            let own = named(in: last)
            if !own.isEmpty { return own }
            if let first = named(in: earlier).first { return [first] }
            let only = processes.count == 1 && last.count == 1 ? last[0] : nil
            // A task or a thread may have outlived its test. Before the process ends, tests may go on for a moment.
            let behind = hasDied && processes.count == 1 && backtraces.count == 1 ? backtraces[0] : only
            let before = only == nil ? behind.map { TestOutput(Array($0.before.utf8)).ended } ?? [] : ended
            let left = before.sorted().first { behind?.names($0, leftBehindBeside: tests) == true }
            if let left { return [crash(left, behind, isLeftBehind: true)] }
            return tests.isEmpty ? [] : [crash(tests.count == 1 ? tests[0] : unknown, only)]
        }
    }
}

/// A backtrace of Swift's.
private struct Backtrace {
    /// The output between the one before and this one.
    let before: String
    /// The calls of the thread that crashed.
    let calls: String
    /// Tests went on after it, as after that of a supervised process or an exit test.
    let isFollowed: Bool

    /// The backtraces in the output of a run, and what follows the last one.
    static func all(in output: String) -> (backtraces: [Backtrace], rest: String) {
        let parts = output.components(separatedBy: " crashed:\n\n")
        let backtraces = zip(parts, parts.dropFirst()).map { before, part in
            // SwiftPM's line on the death of an XCTest process may stand before all that the process itself wrote, and then the
            // process of Swift Testing follows.
            let ends = ["xited with unexpected", "Test run started."]
            let untilDeath = ends.reduce(part) { $0.components(separatedBy: $1)[0] }
            return Backtrace(
                before: before,
                // They stand first, between empty lines.
                calls: part.components(separatedBy: "\n\n")[0],
                isFollowed: untilDeath.contains(TestOutput.nextProcess)
                    || TestOutput.testLines.contains { !$0.groups(in: untilDeath).isEmpty }
            )
        }
        return (backtraces, parts[parts.count - 1])
    }

    func names(_ test: String, after start: String = "") -> Bool {
        let name = NSRegularExpression.escapedPattern(for: test.replacingOccurrences(of: "/", with: "."))
        // Where the output names no suites, one may stand before the name.
        let isWhole = "\(start)(?<![\\w\(test.contains("/") ? "." : "")])\(name)(?!\\w)"
        return calls.range(of: isWhole, options: .regularExpression) != nil
    }

    /// Whether it names a closure of a test that has ended, and not the test itself, which another may call.
    func names(_ test: String, leftBehindBeside others: [String]) -> Bool {
        // A name without a suite or class may be that of any function, and an inherited test has its base class's name.
        let isOfXCTest = !TestOutput.isOfSwiftTesting(test)
        let isInherited = isOfXCTest && others.contains { $0.hasSuffix(test.drop { $0 != "." }) }
        guard test.contains(where: { "/.".contains($0) }), !isInherited else { return false }
        return names(test, after: "(?<= in )") && !names(test, after: "(?<! in )")
    }
}
