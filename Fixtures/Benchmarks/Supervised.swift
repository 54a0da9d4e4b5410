import Foundation

/// What it costs to run the tests in a child process, and to go on after a crash.
enum Supervised {
    private static let tests = 10_000
    private static let crashes = 20

    /// How the tests are run.
    enum How: String {
        case not, supervised
        /// In a child, by a fork and nothing else.
        case forked

        func prepare() {
            #if os(Linux)
                if self == .supervised { setenv("RETRYABLE_SUPERVISE", "1", 1) }
                guard self == .forked else { return }
                let child = fork()
                guard child != 0 else { return }
                var status: CInt = 0
                waitpid(child, &status, 0)
                _exit(status >> 8 & 0xFF)
            #endif
        }
    }

    static func rows(rounds: Int, _ child: Child) throws -> [Row] {
        #if os(Linux)
            let report = child.folder.appendingPathComponent("supervised.json")
            defer { remove(report) }
            func processorSeconds(_ tests: Int, _ how: How) throws -> Double {
                try child.wholeProcessorSeconds(of: .supervised(tests, crashes: 0, how), report: report)
            }
            let many = try Pair(
                rounds: rounds,
                { try processorSeconds(tests, .supervised) },
                { try processorSeconds(tests, .not) }
            )
            let one = try Pair(
                rounds: rounds * 10,
                { try processorSeconds(1, .supervised) },
                { try processorSeconds(1, .forked) }
            )
            let died = try Pair(
                rounds: rounds,
                { try child.seconds(of: .supervised(crashes + 1, crashes: crashes, .supervised), times: 1) },
                { try child.seconds(of: .supervised(crashes + 1, crashes: 0, .supervised), times: 1) }
            )
            return [
                row("a test with a section in a supervised run", "without", many, over: tests, limit: 10e-6, "µs", 1e6),
                row("a process of one test in a supervised run", "a fork alone", one, over: 1, limit: 1e-3, "ms", 1e3),
                row(
                    "what follows a crash until the next test",
                    "no crash",
                    died,
                    over: crashes,
                    limit: 50e-3,
                    "ms",
                    1e3
                ),
            ]
        #else
            return []
        #endif
    }

    /// What the first of a pair takes more than the second, against what it may.
    private static func row(
        _ what: String,
        _ against: String,
        _ pair: Pair,
        over count: Int,
        limit: Double,
        _ unit: String,
        _ scale: Double
    ) -> Row {
        let more = (pair.first.median - pair.second.median) / Double(count)
        return Row(
            what: what,
            against: "\(against), and \((limit * scale).text(0)) \(unit)",
            ratio: more / limit,
            detail: "\((more * scale).text(2)) \(unit) more",
            mark: .atMost(1)
        )
    }
}
