import Groundwork
import RetryCore
import Testing

/// The name of one case of a test in the report: Swift Testing's own name for the test, then the arguments.
///
/// `Login/signsIn()`, `Login/signsIn(user:) ["ada"]`, `Login/pays(user:amount:) ["ada", 12]`.
enum CaseName {
    static func of(_ test: Test, _ testCase: Test.Case?) -> TestName {
        let id = test.id
        let name = id.nameComponents.joined(separator: "/")
        guard test.isParameterized, let testCase else {
            return numbered(TestName(name, module: id.moduleName), unless: "\(test.sourceLocation)")
        }
        let arguments = CaseArguments(of: testCase)
        let named = TestName(arguments.map { "\(name) [\($0.shown)]" } ?? name, module: id.moduleName)
        return numbered(named, unless: arguments.map { "\(test.sourceLocation) \($0.identity)" })
    }

    /// Two cases whose arguments have the same description are two tests: the second one that flakes gets a number.
    private static func numbered(_ name: TestName, unless identity: String?) -> TestName {
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
