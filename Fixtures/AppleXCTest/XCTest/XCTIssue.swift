// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What goes wrong in a test, expected or not. See the README: this is a double.

public struct XCTIssue {
    public typealias IssueType = XCTIssueReference.IssueType
    public typealias Severity = XCTIssueReference.Severity

    public var type: IssueType
    public var compactDescription: String
    public var detailedDescription: String?
    public var sourceCodeContext: XCTSourceCodeContext
    public var associatedError: (any Error)?
    public var attachments: [XCTAttachment]
    public var severity = Severity.error

    public var isFailure: Bool { severity == .error }

    public init(
        type: IssueType,
        compactDescription: String,
        detailedDescription: String? = nil,
        sourceCodeContext: XCTSourceCodeContext = .init(),
        associatedError: (any Error)? = nil,
        attachments: [XCTAttachment] = []
    ) {
        self.type = type
        self.compactDescription = compactDescription
        self.detailedDescription = detailedDescription
        self.sourceCodeContext = sourceCodeContext
        self.associatedError = associatedError
        self.attachments = attachments
    }

    public mutating func add(_ attachment: XCTAttachment) { attachments.append(attachment) }
}

open class XCTIssueReference: NSObject {
    public enum IssueType: Int, Sendable {
        case assertionFailure
        case thrownError
        case uncaughtException
        case unmatchedExpectedFailure
    }

    public enum Severity: Int, Sendable {
        case warning
        case error
    }
}

open class XCTSourceCodeContext: NSObject {
    public let location: XCTSourceCodeLocation?

    public init(location: XCTSourceCodeLocation?) { self.location = location }

    public convenience override init() { self.init(location: nil) }
}

open class XCTSourceCodeLocation: NSObject {
    public let fileURL: URL
    public let lineNumber: Int

    public init(filePath: String, lineNumber: Int) {
        fileURL = URL(fileURLWithPath: filePath)
        self.lineNumber = lineNumber
    }
}

open class XCTExpectedFailure: NSObject {
    public let failureReason: String?
    public let issue: XCTIssue

    init(failureReason: String?, issue: XCTIssue) {
        self.failureReason = failureReason
        self.issue = issue
    }

    open class Options: NSObject {}
}

public func XCTExpectFailure<R>(
    _ failureReason: String? = nil,
    options: XCTExpectedFailure.Options = .init(),
    failingBlock: () throws -> R
) rethrows -> R {
    guard let test = RunningCase.current else { return try failingBlock() }
    test.expectations.append(.init(reason: failureReason))
    defer {
        if !test.expectations.removeLast().isMet {
            test.record(
                XCTIssue(type: .unmatchedExpectedFailure, compactDescription: "Expected failure but none recorded")
            )
        }
    }
    return try failingBlock()
}

/// A failure that is expected, until it comes.
struct ExpectedFailure {
    var reason: String?
    var isMet = false
}
