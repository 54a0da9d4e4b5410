import Groundwork

/// A file that this process has open. As long as it is, no other file can be taken for it.
final class OpenFile {
    private let descriptor: Int32

    init(reading path: String) throws(SystemError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
    }

    /// Makes a new file, in place of what a process that died may have left at `path`.
    ///
    /// - Parameter permissions: Those of the file that this one will replace; without one, what the process's mask leaves.
    init(creating path: String, permissions: mode_t?) throws(SystemError) {
        unlink(path)
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, permissions ?? 0o666)
        guard descriptor >= 0 else { throw .last }
        if let permissions, fchmod(descriptor, permissions) != 0 { throw .last }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    var version: DiskFile.Version {
        get throws(SystemError) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw .last }
            return DiskFile.Version(status)
        }
    }

    func bytes() throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(try version.size)
        try forEachChunk { bytes.append(contentsOf: $0) }
        return bytes
    }

    private func forEachChunk(_ body: (ArraySlice<UInt8>) throws(SystemError) -> Void) throws(SystemError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw .last }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            guard count > 0 else { return }
            try body(chunk[..<count])
        }
    }

    func write(_ bytes: [UInt8], at offset: Int = 0) throws(SystemError) {
        var failure: SystemError?
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty, failure == nil {
                let start = off_t(offset + rest.startIndex)
                let count = pwrite(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, start)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if count == 0 || errno != EINTR {
                    failure = count == 0 ? SystemError(code: ENOSPC) : .last
                }
            }
        }
        if let failure { throw failure }
    }

    /// Writes JSON, a chunk at a time: however long it is, it takes no more memory than a chunk.
    func write(json body: (inout JSONWriter) -> Void) throws(SystemError) {
        var end = 0
        var failure: SystemError?
        var writer = JSONWriter { chunk in
            guard failure == nil else { return }
            do throws(SystemError) {
                try self.write(chunk, at: end)
                end += chunk.count
            } catch {
                failure = error
            }
        }
        body(&writer)
        writer.flush()
        if let failure { throw failure }
    }

    /// Writes what another file has.
    func write(contentsOf other: OpenFile) throws(SystemError) {
        var end = 0
        try other.forEachChunk { (chunk) throws(SystemError) in
            try write(Array(chunk), at: end)
            end += chunk.count
        }
    }

    /// Whether it is certain that nobody else has this file open.
    var isOpenHereOnly: Bool {
        #if os(Linux)
            // The kernel grants a lease for writing to nobody but the only one who has a file open. It is given back at
            // once: what counts is that it was granted. `F_SETLEASE` is 1024 on every Linux; the module map lacks it.
            let setLease: Int32 = 1024
            // Who opens it while the lease is there breaks it, which the kernel tells by a signal: by one that nobody has
            // to handle, where the usual one ends the process. Giving the lease back forgets it, so it is said each time.
            // `F_SETSIG` is 10, and lacking, too.
            guard fcntl(descriptor, 10, SIGURG) == 0 else { return false }
            guard fcntl(descriptor, setLease, Int32(F_WRLCK)) == 0 else { return false }
            return fcntl(descriptor, setLease, Int32(F_UNLCK)) == 0
        #else
            return false
        #endif
    }
}
