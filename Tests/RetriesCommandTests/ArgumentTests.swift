import Testing

@testable import RetriesCommand

@Suite("Arguments")
struct ArgumentTests {
    @Test(
        "arguments that make no command end with one line and code 2",
        arguments: [
            (
                "",
                "no command: one of report, merge, check, history, repeat, why, new, brief (retries --help shows all)"
            ),
            ("reprot", "unknown command reprot; did you mean report? (retries --help shows all)"),
            ("--versoin", "unknown option --versoin; did you mean --version? (retries --help shows all)"),
            ("frobnicate", "unknown command frobnicate (retries --help shows all)"),
            (
                "report --fromat text",
                "unknown option --fromat; did you mean --format? (retries report --help shows all)"
            ),
            ("report -x", "unknown option -x (retries report --help shows all)"),
            ("report --format", "--format needs a value: --format FORMAT"),
            (
                "report --format jnuit",
                "--format is \"jnuit\", not one of text, markdown, html, json, junit, github, slack, filter; did you mean junit?"
            ),
            ("report --format=text,json", "--format takes one value, not 2"),
            ("repeat 9 --under=load,memory -- true", "--under takes one value, not 2"),
            ("report --format text --format json", "--format is given twice"),
            (
                "report --format json --xunit x.xml",
                "--xunit adds tests that a JSON report cannot hold: leave it out with --format json"
            ),
            ("report --output=", "--output is empty"),
            ("merge a.json", "merge needs --output FILE"),
            ("merge --output a.json", "merge needs the reports to merge (retries merge FILE… --output FILE)"),
            ("check --max-age 1", "--max-age is \"1\", not a duration such as 90s, 30m, 2h or 1d"),
            ("repeat 2 --for 0s -- true", "--for is \"0s\", not a duration such as 90s, 30m, 2h or 1d"),
            ("check --stale 0 reports", "--stale is \"0\", not a whole number from 1 up"),
            ("check --stale 1.5 reports", "--stale is \"1.5\", not a whole number from 1 up"),
            ("check --stale= reports", "--stale is \"\", not a whole number from 1 up"),
            ("check --stale 9", "--stale needs the reports of many runs: check --stale N FOLDER"),
            ("check --allow-missing=1", "--allow-missing takes no value"),
            ("check --max-flaky -1", "--max-flaky is \"-1\", not a whole number from 0 up"),
            ("repeat 0 -- true", "the number of runs is \"0\", not a whole number from 1 to 1000000"),
            ("repeat 1000001 -- true", "the number of runs is \"1000001\", not a whole number from 1 to 1000000"),
            ("check --max-retries=many", "--max-retries is \"many\", not a whole number from 0 up"),
            (
                "check --forbid fixible",
                "--forbid is \"fixible\", not one of fixable, not-fixable; did you mean fixable?"
            ),
        ]
    )
    func mistakes(arguments: String, message: String) throws {
        let arguments = arguments.split(separator: " ").map(String.init)
        #expect(try CommandRun()(arguments) == .refuses(message))
    }

    @Test("an option with its value in the same word is unknown")
    func quoted() throws {
        let message = "unknown option --max-flaky N; did you mean --max-flaky? (retries check --help shows all)"
        #expect(try CommandRun()("check", "--max-flaky N") == .refuses(message))
    }

    @Test(
        "an empty FILE, as of a variable that is not set, is refused, and not the working folder",
        arguments: ["report", "check"]
    )
    func emptyFile(command: String) throws {
        let run = try CommandRun()
        #expect(run(command, "") == .refuses("FILE is empty: give the path of a report, or none"))
    }

    @Test(
        "the options of a check of many runs are no limits for one run",
        arguments: ["--max-flaky=1", "--max-age=1d", "--baseline=1", "--changed=1", "--allow-unfinished"]
    )
    func stale(option: String) throws {
        let refusal = "--stale is about many runs, all other limits about one: run check twice"
        #expect(try CommandRun()("check", "--stale", "9", "reports", option) == .refuses(refusal))
    }

    @Test("the version is one line")
    func version() throws {
        #expect(try CommandRun()("--version") == CommandRun.Outcome(output: "\(RetriesCommand.version)\n"))
    }

    @Test("after -- a name that begins with a dash is a file")
    func endOfOptions() throws {
        let run = try CommandRun()
        try run.write(Sample.empty, to: "--odd.json")
        #expect(run("report", "--", "--odd.json").code == 0)
        #expect(run("report", "--odd.json").code == 2)
    }

    @Test("help among the arguments wins over everything else")
    func helpWord() throws {
        let run = try CommandRun()
        #expect(run("help").output == run("--help").output)
        #expect(run("help", "help").code == 0)
        for command in ["report", "merge", "check"] {
            #expect(run(command, "help").output == run(command, "--help").output)
            #expect(run("help", command).output == run(command, "--help").output)
            #expect(run(command, "missing.json", "-h") == run(command, "--help"))
        }
    }
}
