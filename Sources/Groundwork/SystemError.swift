/// What the system answered to a call that failed.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    package let code: Int32

    package init(code: Int32) {
        self.code = code
    }

    /// The answer to the last call of this thread.
    package static var last: SystemError { SystemError(code: errno) }

    package var description: String { String(cString: strerror(code)) }
}
