import Groundwork
import RetryCore
import Testing

// What is known of Swift Testing by a type's name or by reflection alone, because it has no public name. Seen in Swift 6.2
// to 6.4. Should a later version change it, whole runs fail (`RetryableTests`).

extension Error {
    /// `Test.cancel` threw this.
    ///
    /// If its type is called otherwise: a retry that cancels itself fails with that error, and a first attempt that
    /// does so in a section has flaked.
    var isTestCancel: Bool { String(reflecting: type(of: innermost(self))) == "Testing.SkipInfo" }
}

/// The arguments of one case of a test, looked up by reflection.
///
/// If they are kept elsewhere: none are found, and the cases of a test are numbered in the order in which they flake.
struct CaseArguments {
    /// As in `"ada", 12`.
    let shown: String
    /// Distinguishes these arguments from others that read the same.
    let identity: String
    /// The identity is the same in each process.
    let isStable: Bool

    init?(of testCase: Test.Case) {
        guard let list = Mirror(reflecting: testCase).first("arguments", within: 3) else { return nil }
        let arguments = Mirror(reflecting: list).children.map { Mirror(reflecting: $0.value) }
        let values = arguments.compactMap { $0.first("value", within: 1) }
        guard !values.isEmpty else { return nil }
        // About two lines of a terminal.
        shown = values.map { String(describingForTest: $0) }.joined(separator: ", ").cut(to: 200)
        let ids = arguments.map { $0.first("id", within: 1).map { String(describing: $0) } ?? "" }
        let discriminator = Mirror(reflecting: testCase).first("discriminator", within: 3)
        identity = "\(ids) \(discriminator.map { String(describing: $0) } ?? "")"
        isStable = Mirror(reflecting: testCase).first("isStable", within: 3) as? Bool ?? false
    }
}

extension Issue.Kind {
    /// The source of an expectation that failed, then the values in it: `user != nil (user → nil)`. Swift Testing's own text has no
    /// values since 6.4.
    ///
    /// If the values are kept elsewhere: there are none. If the expression is: `nil`, as for an expectation of which Swift Testing
    /// says something else, such as one about an error.
    var failedExpectation: String? {
        guard case .expectationFailed(let expectation) = self, let expression = expressions(in: expectation).first,
            !Mirror(reflecting: expectation).children.contains(where: { child in
                child.label?.hasPrefix("mismatched") == true && child.value is String
            })
        else { return nil }
        let source = expression.value == "nil" ? "\(expression) → nil" : "\(expression)"
        let values = expression.operands.compactMap(\.sourceAndValue)
        return values.isEmpty ? source : "\(source) (\(values.joined(separator: ", ")))"
    }
}

extension __Expression {
    /// The expressions that an operation, an access or a call of a member is made of, inside of negations.
    ///
    /// A call of a function, such as `isValid(user)`, has none, because 6.4 mixes up the values of its arguments.
    fileprivate var operands: [__Expression] {
        let inner = expressions(in: self)
        guard let first = inner.first else { return [] }
        if inner.count == 1, "\(self)".hasPrefix("!") { return first.operands }
        return "\(self)".hasPrefix("\(first)") ? inner : []
    }

    fileprivate var value: String? {
        Mirror(reflecting: self).descendant("runtimeValue", "some").map { String(describing: $0) }
    }

    /// As in `user → nil`; `nil` if it was not evaluated, or if the value says nothing more than the source.
    fileprivate var sourceAndValue: String? {
        value.flatMap { $0 == "\(self)" || $0 == "(Function)" ? nil : "\(self) → \($0)" }
    }
}

/// The outermost expressions in a value. In 6.2 and 6.3 they are in the `kind` of the expression around them.
private func expressions(in value: Any) -> [__Expression] {
    Mirror(reflecting: value).children.flatMap { child in
        if let expression = child.value as? __Expression { return [expression] }
        return child.label == "runtimeValue" ? [] : expressions(in: child.value)
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
