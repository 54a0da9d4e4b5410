import XCTest

/// The line of a test that a failure is reported at.
struct Caller: Sendable {
    private let file: StaticString
    private let line: UInt

    init(_ file: StaticString, _ line: UInt) {
        self.file = file
        self.line = line
    }

    func fail(_ message: String) {
        XCTFail(message, file: file, line: line)
    }

    /// Fails the test, and makes an error that stops it without being reported again.
    func stop<Wanted>(_ wanted: Wanted.Type, _ message: String) -> any Error {
        do {
            // XCTest has no such error in its interface, but a nil that is unwrapped throws one.
            _ = try XCTUnwrap(Wanted?.none, message, file: file, line: line)
            return AppLaunchError(message)
        } catch {
            return error
        }
    }
}
