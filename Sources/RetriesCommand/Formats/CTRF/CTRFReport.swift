/// A report in the Common Test Report Format, with the keys of its schema; times are milliseconds.
///
/// What the schema has no key for stands under `extra`, where it allows anything.
struct CTRFReport: Encodable {
    var reportFormat = "CTRF"
    var specVersion = "1.0.0"
    var timestamp: String?
    var generatedBy: String
    var results: Results

    struct Results: Encodable {
        var tool: Tool
        var summary: Summary
        var tests: [Test]
        var environment: Environment?
        var extra: Extra?
    }

    struct Tool: Encodable {
        var name: String
        var version: String
    }

    struct Environment: Encodable {
        var commit: String?
        var branchName: String?
        var buildUrl: String?
    }

    struct Summary: Encodable {
        var tests = 0
        var passed = 0
        var failed = 0
        var skipped = 0
        var pending = 0
        var other = 0
        var flaky = 0
        /// Since 1970.
        var start = 0
        var stop = 0
    }

    enum Status: String, Encodable {
        case passed, failed, skipped, other
    }

    struct Test: Encodable {
        var name: String
        var status: Status
        var duration: Int
        var start: Int?
        var stop: Int?
        var suite: [String]?
        var message: String?
        var trace: String?
        var line: Int?
        var rawStatus: String?
        var filePath: String?
        var retries: Int?
        var flaky: Bool?
        var retryAttempts: [Attempt]?
        var extra: Mark?
    }

    /// What a test's mark says.
    struct Mark: Encodable {
        /// What runs the test again.
        var command: String
        var module: String?
        var run: String?
        var reason: String
        var fixable: Bool
        var maxRetriesAllowed: Int
    }

    struct Attempt: Encodable {
        var attempt: Int
        var status: Status
        var duration: Int
        var start: Int
        var stop: Int
        var message: String?
        var trace: String?
        var line: Int?
        var extra: Outcome
    }

    struct Outcome: Encodable {
        var outcome: String
    }

    struct Extra: Encodable {
        var steps: [Step]
        /// What is amiss with the run itself.
        var warning: String?
        /// What this does not show.
        var limitation: String?
    }

    struct Step: Encodable {
        var name: String
        var status: Status
        var test: String
        var module: String?
        var filePath: String?
        var line: Int?
        var retries: Int
        var duration: Int
    }
}
