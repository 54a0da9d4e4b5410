// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

@_exported import Foundation
@_exported import ObjectiveC
@_exported import XCTest

// What Apple's XCTest declares in Swift, as far as the sources here use it: written from Apple's documentation. It is
// only ever read by the compiler, so nothing in it does anything. See Fixtures/AppleXCTest/README.md.

// MARK: - Failing

public func XCTFail(_ message: String = "", file: StaticString = #filePath, line: UInt = #line) {}

public func XCTAssertEqual<T: Equatable>(
    _ expression1: @autoclosure () throws -> T,
    _ expression2: @autoclosure () throws -> T,
    _ message: @autoclosure () -> String = "",
    file: StaticString = #filePath,
    line: UInt = #line
) {}

public func XCTAssertGreaterThan<T: Comparable>(
    _ expression1: @autoclosure () throws -> T,
    _ expression2: @autoclosure () throws -> T,
    _ message: @autoclosure () -> String = "",
    file: StaticString = #filePath,
    line: UInt = #line
) {}

public func XCTUnwrap<T>(
    _ expression: @autoclosure () throws -> T?,
    _ message: @autoclosure () -> String = "",
    file: StaticString = #filePath,
    line: UInt = #line
) throws -> T {
    fatalError()
}

public struct XCTSkip: Error {
    public let message: String?

    public init(_ message: @autoclosure () -> String? = nil, file: StaticString = #filePath, line: UInt = #line) {
        fatalError()
    }
}

// MARK: - Issues

public struct XCTIssue: _ObjectiveCBridgeable {
    public typealias IssueType = XCTIssueReference.IssueType

    public var type: IssueType
    public var compactDescription: String
    public var detailedDescription: String?
    public var sourceCodeContext: XCTSourceCodeContext
    public var associatedError: (any Error)?
    public var attachments: [XCTAttachment]
    public var isFailure: Bool { fatalError() }

    public init(
        type: IssueType,
        compactDescription: String,
        detailedDescription: String? = nil,
        sourceCodeContext: XCTSourceCodeContext = .init(),
        associatedError: (any Error)? = nil,
        attachments: [XCTAttachment] = []
    ) { fatalError() }

    public mutating func add(_ attachment: XCTAttachment) {}

    public func _bridgeToObjectiveC() -> XCTIssueReference { fatalError() }
    public static func _forceBridgeFromObjectiveC(_ source: XCTIssueReference, result: inout XCTIssue?) {}
    public static func _conditionallyBridgeFromObjectiveC(_ source: XCTIssueReference, result: inout XCTIssue?) -> Bool
    {
        fatalError()
    }
    public static func _unconditionallyBridgeFromObjectiveC(_ source: XCTIssueReference?) -> XCTIssue { fatalError() }
}

// MARK: - Activities

extension XCTContext {
    @MainActor @preconcurrency
    public class func runActivity<Result>(
        named name: String,
        block: @MainActor (any XCTActivity) throws -> Result
    ) rethrows -> Result {
        fatalError()
    }
}

// MARK: - Tearing down

extension XCTestCase {
    @preconcurrency
    public func addTeardownBlock(_ block: @escaping @MainActor @Sendable () throws -> Void) {}
    public func addTeardownBlock(_ block: @escaping @Sendable () async throws -> Void) {}
}

// MARK: - With classes of Foundation's

// Apple declares these in Objective-C. The Foundation that is here is no module of Objective-C's, so its Date and URL cannot
// stand in a header.

extension XCTestRun {
    public var startDate: Date? { fatalError() }
    public var stopDate: Date? { fatalError() }
}

extension XCTSourceCodeLocation {
    public var fileURL: URL { fatalError() }
}
