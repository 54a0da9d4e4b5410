// The few assertions that the program uses. See the README: this is a double.

/// Fails.
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

/// Fails if a condition does not hold.
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

/// Fails and throws if there is nothing.
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

/// Skips a test when it is thrown.
public struct XCTSkip: Error {
    /// Why the test is skipped.
    public let message: String?

    /// Makes a skip.
    public init(_ message: @autoclosure () -> String? = nil, file: StaticString = #filePath, line: UInt = #line) {
        self.message = message()
    }
}

/// Something that is to happen.
open class XCTestExpectation: NSObject {
    /// What is to happen.
    public let expectationDescription: String

    /// Makes an expectation.
    public init(description: String) { expectationDescription = description }
}
