/// An error that was thrown, to be known again.
struct ThrownError {
    private(set) var error: any Error

    init(_ error: any Error) {
        self.error = error
    }

    /// Whether it is our own means to stop a test.
    var isStop: Bool { error is StoppedAfterFlake }

    /// Whether another error is the same throw, and not only equal: `throw error` passes the box along that an error lives
    /// in, where a new `throw` makes a new one. (This one is held on to, so that its box cannot be used again.)
    ///
    /// A class's instance is itself in any box.
    func isSameThrow(as other: any Error) -> Bool {
        if Box(error: error).address == Box(error: other).address { return true }
        guard type(of: error) is AnyClass, type(of: other) is AnyClass else { return false }
        return error as AnyObject === other as AnyObject
    }

    /// Whether anybody but this value holds on to the box that the error lives in, as whoever passes it along does.
    ///
    /// Needed when one call in `setUp` throws and is caught, and the next throws an equal error: XCTest reports only the text.
    mutating func isHeldElsewhere() -> Bool {
        withUnsafeMutablePointer(to: &error) { error in
            // As an optional, because Swift would open an existential to ask, and hold on to what is in it.
            error.withMemoryRebound(to: AnyObject?.self, capacity: 1) { !isKnownUniquelyReferenced(&$0.pointee) }
        }
    }

    /// An error as it is passed along. (An error handed to a generic function would be taken out of its box.)
    private struct Box {
        let error: any Error

        var address: UInt { unsafeBitCast(self, to: UInt.self) }
    }
}
