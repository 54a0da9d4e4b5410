import Foundation
import Groundwork

/// The few calls on Unix domain sockets that both ends need. Descriptors never pass to child processes.
package enum UnixSocket {
    /// Connects to a socket that somebody listens on.
    package static func connect(to path: String) throws -> CInt {
        try open(path) { system_connect($0, $1, $2) }
    }

    /// Makes a socket at the path and listens on it.
    package static func listen(at path: String) throws -> CInt {
        try open(path) { descriptor, address, length in
            let bound = bind(descriptor, address, length)
            return bound == 0 ? system_listen(descriptor, 1) : bound
        }
    }

    /// Takes the next connection, or `nil` if there is none.
    package static func accept(on descriptor: CInt) -> CInt? {
        let connection = system_accept(descriptor, nil, nil)
        guard connection >= 0 else { return nil }
        closeOnExec(connection)
        return connection
    }

    /// Sends all of the text; false if the other end is gone.
    package static func send(_ text: String, to descriptor: CInt) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let sent = system_send(descriptor, UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: rest)))
                if sent > 0 {
                    rest = rest.dropFirst(sent)
                } else if errno != EINTR {
                    return false
                }
            }
            return true
        }
    }

    /// Waits until the other end is closed.
    static func waitForEnd(of descriptor: CInt) {
        var byte: UInt8 = 0
        while true {
            let count = recv(descriptor, &byte, 1, 0)
            if count == 0 || (count < 0 && errno != EINTR) { return }
        }
    }

    /// Ends this process, and what it started if it leads a process group, without running any of its code.
    static func endProcess() -> Never {
        if getpgrp() == getpid() { kill(0, SIGKILL) }
        _exit(1)
    }

    /// What the last failed call said.
    package static var lastError: String {
        String(cString: strerror(errno))
    }

    private static func open(
        _ path: String,
        _ use: (CInt, UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) throws -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let limit = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard bytes.count <= limit else {
            let cause = "the path is \(bytes.count) bytes long, at most \(limit) are allowed here"
            throw AutomationSocketError(path: path, cause: cause)
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }

        let descriptor = system_socket()
        guard descriptor >= 0 else { throw AutomationSocketError(path: path, cause: lastError) }
        closeOnExec(descriptor)
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            let cause = lastError
            close(descriptor)
            throw AutomationSocketError(path: path, cause: cause)
        }
        return descriptor
    }

    private static func closeOnExec(_ descriptor: CInt) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
}

// The names above hide the system's of the same name, and the systems differ in the types and flags.
#if canImport(Darwin)
    private func system_socket() -> CInt {
        let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        var on: CInt = 1
        // Writing to an end that is gone must be an error, not a signal.
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<CInt>.size))
        return descriptor
    }

    private func system_send(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        send(descriptor, bytes.baseAddress, bytes.count, 0)
    }
#else
    private func system_socket() -> CInt {
        #if canImport(Glibc)
            let type = CInt(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        return socket(AF_UNIX, type | CInt(O_CLOEXEC), 0)
    }

    private func system_send(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
        // Writing to an end that is gone must be an error, not a signal.
        send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
    }
#endif

private func system_connect(_ descriptor: CInt, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> CInt {
    connect(descriptor, address, length)
}

private func system_listen(_ descriptor: CInt, _ backlog: CInt) -> CInt {
    listen(descriptor, backlog)
}

private func system_accept(
    _ descriptor: CInt,
    _ address: UnsafeMutablePointer<sockaddr>?,
    _ length: UnsafeMutablePointer<socklen_t>?
) -> CInt {
    accept(descriptor, address, length)
}
