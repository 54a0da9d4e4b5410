import XCTest

/// Why an app could not be launched, or was not ready in time.
struct AppLaunchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Fails the test at the given line, and makes an error that stops it without being reported again.
func stoppingFailure<Wanted>(_ wanted: Wanted.Type, _ message: String, file: StaticString, line: UInt) -> any Error {
    do {
        // XCTest has no such error in its interface, but a nil that is unwrapped throws one.
        _ = try XCTUnwrap(Wanted?.none, message, file: file, line: line)
        return AppLaunchError(message)
    } catch {
        return error
    }
}
