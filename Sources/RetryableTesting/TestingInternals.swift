import Groundwork
import RetryCore
import Testing

// What is known of Swift Testing by a type's name or by reflection alone, because it has no public name. Seen in Swift 6.2
// and 6.3. Should a later version change it, whole runs fail (`RetryableTests`).

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

    init?(of testCase: Test.Case) {
        guard let list = Mirror(reflecting: testCase).first("arguments", within: 3) else { return nil }
        let arguments = Mirror(reflecting: list).children.map { Mirror(reflecting: $0.value) }
        let values = arguments.compactMap { $0.first("value", within: 1) }
        guard !values.isEmpty else { return nil }
        shown = values.map(Self.describe).joined(separator: ", ").cut(to: 200)  // about two lines of a terminal
        let ids = arguments.map { $0.first("id", within: 1).map { String(describing: $0) } ?? "" }
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
