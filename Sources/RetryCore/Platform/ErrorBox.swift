/// The box of an error, an object of the runtime, kept no longer than need be.
struct ErrorBox {
    #if canImport(ObjectiveC)
        private weak var box: AnyObject?
        /// An error of `XCTUnwrap`, which refers to nothing, and of which this may be the only sign.
        private let kept: AnyObject?
    #else
        // On Linux, the runtime has weak references for objects of classes only, which a box is not.
        private let box: AnyObject?
    #endif

    /// `nil` once the error has been released.
    var object: AnyObject? { box }
    var error: (any Error)? { box.map { unsafeBitCast($0, to: Holder.self).error } }

    /// Keeps an error in its box. (Passed to a generic function, it would be taken out of it.)
    private struct Holder {
        let error: any Error
    }

    static func object(of error: any Error) -> AnyObject {
        unsafeBitCast(Holder(error: innermost(error)), to: AnyObject.self)
    }

    init(_ error: any Error) {
        let object = Self.object(of: error)
        box = object
        #if canImport(ObjectiveC)
            kept = innermost(error).isRecordedWhereThrown ? object : nil
        #endif
    }
}
