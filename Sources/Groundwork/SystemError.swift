/// The system's error code of a call that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: Int32

    package init(code: Int32) {
        self.code = code
    }

    /// The error of this thread's last failed call.
    package static var last: SystemError { SystemError(code: errno) }

    package var description: String { String(cString: strerror(code)) }
}
