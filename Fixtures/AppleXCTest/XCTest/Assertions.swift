// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What the program's tests call. See the README: this is a double.

public func XCTFail(_ message: String = "", file: StaticString = #filePath, line: UInt = #line) {
    let location = XCTSourceCodeLocation(filePath: "\(file)", lineNumber: Int(line))
    RunningCase.current?.record(
        XCTIssue(
            type: .assertionFailure,
            compactDescription: "failed - \(message)",
            sourceCodeContext: XCTSourceCodeContext(location: location)
        )
    )
}

public func XCTAssertTrue(
    _ condition: @autoclosure () throws -> Bool,
    _ message: @autoclosure () -> String = "",
    file: StaticString = #filePath,
    line: UInt = #line
) {
    do {
        if try !condition() { XCTFail(message(), file: file, line: line) }
    } catch {
        XCTFail("\(error)", file: file, line: line)
    }
}

public func XCTUnwrap<T>(
    _ expression: @autoclosure () throws -> T?,
    _ message: @autoclosure () -> String = "",
    file: StaticString = #filePath,
    line: UInt = #line
) throws -> T {
    if let value = try expression() { return value }
    XCTFail("XCTUnwrap failed \(message())", file: file, line: line)
    throw XCTestErrorWhileUnwrappingOptional()
}

struct XCTestErrorWhileUnwrappingOptional: Error {}

public struct XCTSkip: Error {
    public let message: String?

    public init(_ message: @autoclosure () -> String? = nil, file: StaticString = #filePath, line: UInt = #line) {
        self.message = message()
    }
}

open class XCTestExpectation: NSObject {
    public let expectationDescription: String

    public init(description: String) { expectationDescription = description }
}

// MARK: - Activities

@MainActor @preconcurrency
public protocol XCTActivity {
    var name: String { get }

    func add(_ attachment: XCTAttachment)
}

open class XCTContext: NSObject {
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

open class XCTAttachment: NSObject {
    public enum Lifetime: Int, Sendable {
        case keepAlways
        case deleteOnSuccess
    }

    open var lifetime = Lifetime.deleteOnSuccess
    open var name: String?
    let text: String

    public init(string: String) { text = string }
    public init(screenshot: XCUIScreenshot) { text = "a screenshot" }
}

// MARK: - Elements

open class XCUIScreenshot: NSObject {
    fileprivate override init() {}
}

@MainActor
open class XCUIScreen: NSObject {
    public static let main = XCUIScreen()

    nonisolated fileprivate override init() {}
    open func screenshot() -> XCUIScreenshot { XCUIScreenshot() }
}

@MainActor
open class XCUIApplication: XCUIElement {
    nonisolated public override var debugDescription: String { "the element tree" }
}

/// An element of an application. See the README: there is no application here, so nothing can be done with it.
@MainActor
open class XCUIElement: NSObject {
    nonisolated public override init() {}

    /// Fails, as where there is no such element.
    open func tap() {
        RunningCase.current?.handle(
            XCTIssue(type: .assertionFailure, compactDescription: "Failed to tap: no matches found")
        )
    }
}
