#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the system answered to a call that failed.
package struct SystemError: Error, CustomStringConvertible {
    let code: Int32

    static var last: SystemError { SystemError(code: errno) }

    package var description: String { String(cString: strerror(code)) }
}

/// An open file, read and written whole.
struct Descriptor {
    let number: Int32

    func close() {
        #if canImport(Darwin)
            _ = Darwin.close(number)
        #elseif canImport(Glibc)
            _ = Glibc.close(number)
        #elseif canImport(Musl)
            _ = Musl.close(number)
        #endif
    }

    var status: stat {
        get throws(SystemError) {
            var status = stat()
            guard fstat(number, &status) == 0 else { throw .last }
            return status
        }
    }

    /// Reads to the end. The size that the file says it has is where reading starts from, not what it trusts.
    func readAll() throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var capacity = max(Int(try status.st_size) + 1, 1 << 12)
        while true {
            var failure: SystemError?
            let start = bytes.count
            let chunk = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
                while count < buffer.count {
                    let more = read(number, buffer.baseAddress.map { $0 + count }, buffer.count - count)
                    if more < 0, errno == EINTR { continue }
                    if more < 0 { failure = .last }
                    guard more > 0 else { return }
                    count += more
                }
            }
            if let failure { throw failure }
            if start == 0 { bytes = chunk } else { bytes.append(contentsOf: chunk) }
            guard chunk.count == capacity else { return bytes }
            capacity = max(1 << 16, bytes.count)
        }
    }

    func write(_ bytes: [UInt8]) throws(SystemError) {
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                #if canImport(Darwin)
                    Darwin.write(number, buffer.baseAddress.map { $0 + start }, buffer.count - start)
                #elseif canImport(Glibc)
                    Glibc.write(number, buffer.baseAddress.map { $0 + start }, buffer.count - start)
                #elseif canImport(Musl)
                    Musl.write(number, buffer.baseAddress.map { $0 + start }, buffer.count - start)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            start += count
        }
    }
}
