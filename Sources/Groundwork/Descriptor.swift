/// An open file, read and written whole.
package struct Descriptor: Sendable {
    package let number: Int32

    package init(number: Int32) {
        self.number = number
    }

    /// Opens a file for as long as `body` runs.
    package static func withFile<Result>(
        at path: String,
        _ flags: Int32,
        permissions: mode_t = 0o666,
        _ body: (Descriptor) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        let number = open(path, flags | O_CLOEXEC, permissions)
        guard number >= 0 else { throw .last }
        defer { close(number) }
        return try body(Descriptor(number: number))
    }

    /// The text of a file that always has some, such as those of `/proc`; `nil` if it cannot be read.
    package static func text(at path: String) -> String? {
        let bytes = try? withFile(at: path, O_RDONLY) { (file) throws(SystemError) in try file.readAll() }
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    package var status: stat {
        get throws(SystemError) {
            var status = stat()
            guard fstat(number, &status) == 0 else { throw .last }
            return status
        }
    }

    /// Reads to the end, however long the file says it is.
    package func readAll() throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(max(Int(try status.st_size), 0) + 1)
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
