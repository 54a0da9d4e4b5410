import Foundation

/// What CTRF's schema (ctrf.schema.json) asks of a report: required keys, known keys, types.
struct CTRFRules {
    private(set) var violations: [String] = []

    private enum Kind {
        case text, count, flag, list, anything, status
    }

    private typealias Keys = [String: Kind]

    init(_ bytes: [UInt8]) throws {
        let root = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] ?? [:]
        check(
            root,
            "report",
            required: ["results", "reportFormat", "specVersion"],
            [
                "results": .anything, "reportFormat": .text, "specVersion": .text, "timestamp": .text,
                "generatedBy": .text, "extra": .anything,
            ]
        )
        if root["reportFormat"] as? String != "CTRF" { violations.append("reportFormat") }
        let version = root["specVersion"] as? String ?? ""
        if version.range(of: #"^[0-9]+\.[0-9]+\.[0-9]+$"#, options: .regularExpression) == nil {
            violations.append("specVersion")
        }
        let results = root["results"] as? [String: Any] ?? [:]
        let keys: Keys = [
            "tool": .anything, "summary": .anything, "tests": .list, "environment": .anything, "extra": .anything,
        ]
        if let environment = results["environment"] {
            let texts = ["commit", "branchName", "buildUrl"].map { ($0, Kind.text) }
            check(environment, "environment", required: [], Dictionary(uniqueKeysWithValues: texts))
        }
        check(results, "results", required: ["tool", "summary", "tests"], keys)
        check(results["tool"], "tool", required: ["name"], ["name": .text, "version": .text])
        let counts = ["tests", "passed", "failed", "skipped", "pending", "other", "start", "stop"]
        var summary: Keys = ["flaky": .count]
        for count in counts { summary[count] = .count }
        check(results["summary"], "summary", required: counts, summary)
        for test in results["tests"] as? [Any] ?? [] { check(test: test) }
        let totals = results["summary"] as? [String: Int] ?? [:]
        let sum = ["passed", "failed", "skipped", "pending", "other"].reduce(0) { $0 + (totals[$1] ?? 0) }
        if sum != totals["tests"] { violations.append("sum of summary") }
    }

    private mutating func check(test: Any) {
        let keys: Keys = [
            "name": .text, "status": .status, "duration": .count, "start": .count, "stop": .count, "suite": .list,
            "message": .text, "trace": .text, "line": .count, "rawStatus": .text, "filePath": .text,
            "retries": .count, "retryAttempts": .list, "flaky": .flag, "extra": .anything,
        ]
        check(test, "test", required: ["name", "status", "duration"], keys)
        let test = test as? [String: Any] ?? [:]
        if (test["name"] as? String)?.isEmpty != false { violations.append("empty name") }
        if let suite = test["suite"] as? [Any], suite.isEmpty || !(suite is [String]) { violations.append("suite") }
        for attempt in test["retryAttempts"] as? [Any] ?? [] {
            let keys: Keys = [
                "attempt": .count, "status": .status, "duration": .count, "message": .text, "trace": .text,
                "line": .count, "start": .count, "stop": .count, "extra": .anything,
            ]
            check(attempt, "attempt", required: ["attempt", "status"], keys)
            if ((attempt as? [String: Any])?["attempt"] as? Int ?? 0) < 1 { violations.append("attempt below 1") }
        }
    }

    private mutating func check(_ value: Any?, _ name: String, required: [String], _ keys: [String: Kind]) {
        guard let object = value as? [String: Any] else { return violations.append("\(name) is no object") }
        for key in required where object[key] == nil { violations.append("\(name) has no \(key)") }
        for (key, value) in object {
            let isRight =
                switch keys[key] {
                case nil: false
                case .text: value is String
                case .count: value is Int
                case .flag: value is Bool
                case .list: value is [Any]
                case .anything: value is [String: Any]
                case .status: ["passed", "failed", "skipped", "pending", "other"].contains(value as? String)
                }
            if !isRight { violations.append("\(name).\(key): \(value)") }
        }
    }
}
