import Groundwork
import RetryCore
import Testing

/// What one case of a test is called in the report: Swift Testing's own name for the test, then the arguments.
///
/// `Login/signsIn()`, `Login/signsIn(user:) ["ada"]`, `Login/pays(user:amount:) ["ada", 12]`.
enum CaseName {
    /// The longest description of arguments that is shown whole.
    static let longest = 200

    static func of(_ test: Test, _ testCase: Test.Case?) -> TestName {
        let id = test.id
        let name = id.nameComponents.joined(separator: "/")
        guard test.isParameterized, let testCase else {
            return told(TestName(name, module: id.moduleName), apartBy: "\(test.sourceLocation)")
        }
        let arguments = Arguments(of: testCase)
        let named = TestName(arguments.map { "\(name) [\($0.shown)]" } ?? name, module: id.moduleName)
        return told(named, apartBy: arguments.map { "\(test.sourceLocation) \($0.identity)" })
    }

    /// Two cases whose arguments read the same are two tests: the second that flakes gets a number.
    private static func told(_ name: TestName, apartBy identity: String?) -> TestName {
        let index = known.withLock { known -> Int in
            let others = known[name, default: []]
            if let identity, let index = others.firstIndex(of: identity) { return index }
            known[name] = others + [identity]
            return others.count
        }
        return index == 0 ? name : TestName("\(name.name) #\(index + 1)", module: name.module)
    }

    private static let known = Locked<[TestName: [String?]]>([:])
}

/// The arguments of one case of a test.
///
/// Swift Testing has no public way to ask for them, so they are looked up by reflection. Should a later version keep
/// them elsewhere, none are found, and the cases of a test are numbered in the order in which they flake.
struct Arguments {
    /// As in `"ada", 12`.
    let shown: String
    /// What tells these arguments from others that read the same.
    let identity: String

    init?(of testCase: Test.Case) {
        guard let arguments = Mirror(reflecting: testCase).first("arguments", within: 3) else { return nil }
        let values = Mirror(reflecting: arguments).children.compactMap { argument in
            Mirror(reflecting: argument.value).first("value", within: 1)
        }
        guard !values.isEmpty else { return nil }
        let all = values.map(Self.describe).joined(separator: ", ")
        shown = all.count > CaseName.longest ? all.prefix(CaseName.longest) + "…" : all
        let ids = Mirror(reflecting: arguments).children.map { argument in
            Mirror(reflecting: argument.value).first("id", within: 1).map { String(describing: $0) } ?? ""
        }
        let discriminator = Mirror(reflecting: testCase).first("discriminator", within: 3)
        identity = "\(ids) \(discriminator.map { String(describing: $0) } ?? "")"
    }

    private static func describe(_ value: Any) -> String {
        func describe(_ value: some Any) -> String { String(describingForTest: value) }
        return describe(value)
    }
}

extension Mirror {
    /// The first child of this name, looked for at most so many levels deep, nearest first.
    fileprivate func first(_ label: String, within levels: Int) -> Any? {
        guard levels > 0 else { return nil }
        if let child = children.first(where: { $0.label == label }) { return child.value }
        for child in children {
            if let found = Mirror(reflecting: child.value).first(label, within: levels - 1) { return found }
        }
        return nil
    }
}
