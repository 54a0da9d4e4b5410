/// Something that went wrong in a test. See the README: this is a double.
public struct XCTIssue {
    /// What kind of issue it is.
    public typealias IssueType = XCTIssueReference.IssueType
    /// How grave it is.
    public typealias Severity = XCTIssueReference.Severity

    /// What kind of issue it is.
    public var type: IssueType
    /// What went wrong, in short.
    public var compactDescription: String
    /// What went wrong, at length.
    public var detailedDescription: String?
    /// Where it went wrong.
    public var sourceCodeContext: XCTSourceCodeContext
    /// The error that was thrown.
    public var associatedError: (any Error)?
    /// What is attached.
    public var attachments: [XCTAttachment]
    /// How grave it is.
    public var severity = Severity.error

    /// Whether the test has failed for it.
    public var isFailure: Bool { severity == .error }

    /// Makes an issue.
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

    /// Attaches something.
    public mutating func add(_ attachment: XCTAttachment) { attachments.append(attachment) }
}

/// An issue, as an object.
open class XCTIssueReference: NSObject {
    /// What kind of issue it is.
    public enum IssueType: Int, Sendable {
        /// An assertion did not hold.
        case assertionFailure
        /// An error was thrown.
        case thrownError
        /// An exception was not caught.
        case uncaughtException
        /// A measurement got worse.
        case performanceRegression
        /// The system failed.
        case system
        /// An expected failure did not come.
        case unmatchedExpectedFailure
    }

    /// How grave an issue is.
    public enum Severity: Int, Sendable {
        /// To be noted.
        case warning
        /// Fails the test.
        case error
    }
}

/// Where an issue comes from.
open class XCTSourceCodeContext: NSObject {
    /// The line.
    public let location: XCTSourceCodeLocation?

    /// Makes a context.
    public init(location: XCTSourceCodeLocation?) { self.location = location }

    /// Makes a context without a line.
    public convenience override init() { self.init(location: nil) }
}

/// A line in a file.
open class XCTSourceCodeLocation: NSObject {
    /// The file.
    public let fileURL: URL
    /// The line.
    public let lineNumber: Int

    /// Makes a location.
    public init(fileURL: URL, lineNumber: Int) {
        self.fileURL = fileURL
        self.lineNumber = lineNumber
    }

    /// Makes a location.
    public convenience init(filePath: String, lineNumber: Int) {
        self.init(fileURL: URL(fileURLWithPath: filePath), lineNumber: lineNumber)
    }
}
