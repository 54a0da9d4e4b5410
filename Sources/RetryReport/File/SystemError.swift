#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the system answered to a call that failed.
struct SystemError: Error, CustomStringConvertible {
    let code: Int32

    static var last: SystemError { SystemError(code: errno) }

    var description: String { String(cString: strerror(code)) }
}
