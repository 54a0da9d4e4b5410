import Foundation
import Groundwork

/// The calls on Unix domain sockets that both ends need. Child processes never inherit the descriptors. The system's own
/// functions of these names are written `Foundation.connect`, because Foundation exports them on every system.
package enum UnixSocket {
    package static func connect(to path: String) throws -> CInt {
        try open(path, Foundation.connect)
    }

    /// Makes a socket at the path and listens on it. Accepting and reading do not block.
    package static func listen(at path: String) throws -> CInt {
        let descriptor = try open(path) { descriptor, address, length in
            bind(descriptor, address, length) == 0 ? Foundation.listen(descriptor, 1) : -1
        }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return descriptor
    }

    /// Takes the next connection, or `nil` if there is none.
    package static func accept(on descriptor: CInt) -> CInt? {
        let connection = Foundation.accept(descriptor, nil, nil)
        guard connection >= 0 else { return nil }
        prepare(connection)
        _ = fcntl(connection, F_SETFL, O_NONBLOCK)
        return connection
    }

    package static func pair() throws -> (CInt, CInt) {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else {
            throw AutomationError(.launch, "no socket can be opened: \(SystemError.last)")
        }
        ends.forEach(prepare)
        return (ends[0], ends[1])
    }

    /// Sends bytes, until all are sent, the other end is gone or takes nothing any more.
    ///
    /// - Parameter patience: The number of seconds for which an end that takes nothing is waited for; `nil` is for ever.
    /// - Returns: The number of bytes that were sent.
    package static func send(_ bytes: [UInt8], to descriptor: CInt, patience: Double? = nil) -> Int {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, quietly | CInt(MSG_DONTWAIT))
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                if ready([descriptor], to: POLLOUT, patience: patience).isEmpty { break }
            } else if errno != EINTR {
                break
            }
        }
        return sent
    }

    /// Reads what there is; `nil` at the end. While there is nothing it blocks or, on a descriptor that never blocks,
    /// returns an empty array.
    package static func read(_ descriptor: CInt) -> [UInt8]? {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
            repeat {
                count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            } while count < 0 && errno == EINTR
            filled = max(count, 0)
        }
        return count > 0 || (count < 0 && errno == EAGAIN) ? bytes : nil
    }

    /// Blocks until descriptors can be read or written, or have come to their end, and returns those.
    ///
    /// - Parameter patience: The most seconds to wait, after which the result is empty; `nil` for no limit.
    package static func ready(_ descriptors: [CInt], to events: Int32 = POLLIN, patience: Double? = nil) -> [CInt] {
        var polls = descriptors.map { pollfd(fd: $0, events: Int16(events), revents: 0) }
        let milliseconds = patience.map { CInt(min(max($0 * 1000, 0), 1e9)) } ?? -1
        while poll(&polls, nfds_t(polls.count), milliseconds) < 0, errno == EINTR {}
        return polls.filter { $0.revents != 0 }.map(\.fd)
    }

    /// Makes a socket and hands it over together with the path's address.
    private static func open(_ path: String, _ use: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt) throws -> CInt {
        func error(_ cause: String) -> AutomationError {
            AutomationError(.launch, "the socket for checkpoints at \(path) cannot be opened: \(cause)")
        }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let limit = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard path.utf8.count <= limit else {
            throw error("the path is \(path.utf8.count) bytes long, at most \(limit) are allowed here")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }

        let descriptor = socket(AF_UNIX, stream, 0)
        guard descriptor >= 0 else { throw error("\(SystemError.last)") }
        prepare(descriptor)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            defer { close(descriptor) }
            throw error("\(SystemError.last)")
        }
        return descriptor
    }

    /// Keeps a socket from child processes, and makes writing to a closed one an error instead of a signal.
    private static func prepare(_ descriptor: CInt) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            var on: CInt = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<CInt>.size))
        #endif
    }
}

// The systems differ in types and flags. Where they can be asked to, they mark a socket before a child process can get it.
#if canImport(Darwin)
    private let stream = SOCK_STREAM
    private let quietly: CInt = 0
#else
    #if canImport(Glibc)
        private let stream = CInt(SOCK_STREAM.rawValue) | CInt(O_CLOEXEC)
    #else
        private let stream = SOCK_STREAM | CInt(O_CLOEXEC)
    #endif
    private let quietly = CInt(MSG_NOSIGNAL)
#endif
