/// An error that was thrown, kept to recognise it if it is thrown on.
struct ThrownError {
    private(set) var error: any Error
    /// The sections that it has left on its way out of the test, innermost first.
    var sections: [Section]

    /// Whether another error is the same throw, and not only equal: `throw error` passes on the box that the error is in,
    /// whereas throwing a new value makes a new box. (Keeping this error keeps its box from being reused.)
    ///
    /// Objects are compared by identity, whatever box they are in.
    func isSameThrow(as other: any Error) -> Bool {
        if Box(error: error).address == Box(error: other).address { return true }
        guard type(of: error) is AnyClass, type(of: other) is AnyClass else { return false }
        return error as AnyObject === other as AnyObject
    }

    /// Whether the error's box has another owner, as it has while the error is on its way out.
    ///
    /// Needed when one call in `setUp` throws and is caught, and the next throws an equal error: XCTest reports only
    /// the text.
    mutating func isHeldElsewhere() -> Bool {
        withUnsafeMutablePointer(to: &error) { error in
            // Through an optional object, because asking the existential itself would open it and retain its content.
            error.withMemoryRebound(to: AnyObject?.self, capacity: 1) { !isKnownUniquelyReferenced(&$0.pointee) }
        }
    }

    /// Keeps an error in its box. (Passed to a generic function, it would be taken out of the box.)
    private struct Box {
        let error: any Error

        var address: UInt { unsafeBitCast(self, to: UInt.self) }
    }
}
