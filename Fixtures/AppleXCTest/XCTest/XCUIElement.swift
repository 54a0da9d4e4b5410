/// An element of an application. See the README: there is no application here, so nothing can be done with it.
@MainActor
open class XCUIElement: NSObject {
    /// Makes one.
    nonisolated public override init() {}

    /// Fails, as where there is no such element.
    open func tap() {
        RunningCase.current?.handle(
            XCTIssue(type: .assertionFailure, compactDescription: "Failed to tap: no matches found")
        )
    }
}
