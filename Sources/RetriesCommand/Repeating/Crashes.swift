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
    ///   - hasDied: SwiftPM says that a process crashed.
    static func crashes(
        of open: Set<String>,
        after ended: Set<String>,
        hasDied: Bool,
        in output: String
    ) -> [Self] {
        let (backtraces, rest) = Backtrace.all(in: output)
        func crash(_ test: String, _ backtrace: Backtrace?, isLeftBehind: Bool = false) -> Self {
            let place = call.groups(in: backtrace?.calls ?? "").first
            return Self(
                test: test,
                file: place?[0],
                line: place.flatMap { Int($0[1]) },
                message: reason.groups(in: backtrace?.before ?? rest).first?.joined() ?? "",
                isXCTest: !TestOutput.isOfSwiftTesting(test),
                isCrash: true,
                isLeftBehind: isLeftBehind
            )
        }
        // Each XCTest that did not end crashed in a process of its own; those of Swift Testing ran beside each other.
        let testing = open.filter(TestOutput.isOfSwiftTesting)
        let xctests = open.subtracting(testing).sorted()
        var processes = xctests.map { [$0] } + (testing.isEmpty ? [] : [testing.sorted()])
        if processes.isEmpty, hasDied { processes = [[]] }
        return processes.compactMap { tests in
            for backtrace in backtraces {
                if let test = tests.first(where: { backtrace.names($0) }) { return crash(test, backtrace) }
            }
            let last = processes.count == 1 ? backtraces.first { !$0.isFollowed } : nil
            // A task or a thread may have outlived its test.
            let left = ended.sorted().first { last?.names($0, leftBehindBeside: tests) == true }
            if let left { return crash(left, last, isLeftBehind: true) }
            return tests.isEmpty ? nil : crash(tests.count == 1 ? tests[0] : unknown, last)
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
            let untilDeath = part.components(separatedBy: "xited with unexpected")[0]
            return Backtrace(
                before: before,
                // They stand first, between empty lines.
                calls: part.components(separatedBy: "\n\n")[0],
                isFollowed: TestOutput.testLines.contains { !$0.groups(in: untilDeath).isEmpty }
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
