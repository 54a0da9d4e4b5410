/// A step of a test. See the README: this is a double.
@MainActor @preconcurrency
public protocol XCTActivity {
    /// The name of the step.
    var name: String { get }

    /// Attaches something to the step.
    func add(_ attachment: XCTAttachment)
}

/// The test that is running.
open class XCTContext: NSObject {
    /// Runs a step of a test.
    @MainActor @preconcurrency
    public class func runActivity<Result>(
        named name: String,
        block: @MainActor (any XCTActivity) throws -> Result
    ) rethrows -> Result {
        guard let test = RunningCase.current else {
            fatalError("Current context must not be nil")
        }
        print("  activity of \(test.name): \(name)")
        return try block(PrintedActivity(name: name))
    }
}

private struct PrintedActivity: XCTActivity {
    let name: String

    func add(_ attachment: XCTAttachment) {
        let text = attachment.text.replacing("\n", with: "⏎")
        print("  attachment \(attachment.name ?? "?"), \(attachment.lifetime): \(text)")
    }
}

/// Something kept with a result.
open class XCTAttachment: NSObject {
    /// How long an attachment is kept.
    public enum Lifetime: Int, Sendable {
        /// Even if the test passes.
        case keepAlways
        /// Unless the test passes.
        case deleteOnSuccess
    }

    /// How long it is kept.
    open var lifetime = Lifetime.deleteOnSuccess
    /// What it is called.
    open var name: String?
    let text: String

    /// Attaches a text.
    public init(string: String) { text = string }
}
