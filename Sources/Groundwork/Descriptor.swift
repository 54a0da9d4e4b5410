import Foundation

/// An open file, read and written whole.
package struct Descriptor: Sendable {
    package let number: Int32

    package init(number: Int32) { self.number = number }

    /// Opens a file for as long as `body` runs.
    package static func withFile<Result>(
        at path: String,
        _ flags: Int32,
        _ body: (Descriptor) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        let number = open(path, flags | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw .last }
        defer { close(number) }
        return try body(Descriptor(number: number))
    }

    /// Makes a file that has no name, which the processes that this one starts inherit. It is gone when they have ended.
    package static func unnamed() throws(SystemError) -> Descriptor {
        // On Linux in memory, as a disk may be full. Swift does not import this function.
        typealias Make = @convention(c) (_ name: UnsafePointer<CChar>, _ flags: UInt32) -> Int32
        let make = dlsym(dlopen(nil, RTLD_NOW), "memfd_create").map { unsafeBitCast($0, to: Make.self) }
        if let number = make?("Retryable", 0), number >= 0 { return Descriptor(number: number) }
        var path = Array("\(NSTemporaryDirectory())/XXXXXX".utf8CString)
        let number = mkstemp(&path)
        guard number >= 0 else { throw .last }
        unlink(path)
        return Descriptor(number: number)
    }

    /// The size of the file; 0 if it cannot be read.
    package var size: Int {
        var status = stat()
        return fstat(number, &status) == 0 ? Int(status.st_size) : 0
    }

    package func replaceAll(with bytes: [UInt8]) throws(SystemError) {
        guard ftruncate(number, 0) == 0, lseek(number, 0, SEEK_SET) == 0 else { throw .last }
        try writeAll(bytes)
    }

    /// The path by which this process, and those that inherit it, can open the file again.
    package var path: String { "/dev/fd/\(number)" }

    package func readAll() throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: chunk[..<count])
        }
    }

    package func writeAll(_ bytes: [UInt8]) throws(SystemError) {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { write(number, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            start += count
        }
    }
}
