#if os(macOS) || os(Linux)
    import Groundwork
    import AppAutomation
    import Foundation

    /// The few calls on descriptors that watching an app needs. None passes to a child process unless it is made its
    /// stream.
    enum Descriptors {
        /// Held while a pipe is opened and while a child is started: a pipe that is open but not yet marked as the
        /// test's alone would pass to a child that starts at that moment.
        static let startingChildren = Locked(())

        /// A pipe: what is written to the second can be read from the first.
        static func pipe() throws -> (read: CInt, write: CInt) {
            var ends: [CInt] = [-1, -1]
            let result = startingChildren.withLock { _ in
                let result = system_pipe(&ends)
                ends.forEach { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
                return result
            }
            guard result == 0 else { throw AppLaunchError("no pipe can be opened: \(UnixSocket.lastError)") }
            return (ends[0], ends[1])
        }

        /// Two sockets that are connected: unlike a pipe, writing when the other end is gone need not raise a signal.
        ///
        /// - Parameter patience: After how many seconds sending from ours ends in vain while the other end does not
        ///   read.
        static func socketPair(patience: Int = 5) throws -> (theirs: CInt, ours: CInt) {
            var ends: [CInt] = [-1, -1]
            #if canImport(Glibc)
                let type = CInt(SOCK_STREAM.rawValue)
            #else
                let type = SOCK_STREAM
            #endif
            guard socketpair(AF_UNIX, type | closeOnExec, 0, &ends) == 0 else {
                throw AppLaunchError("no socket can be opened: \(UnixSocket.lastError)")
            }
            #if canImport(Darwin)
                var on: CInt = 1
                for end in ends {
                    _ = fcntl(end, F_SETFD, FD_CLOEXEC)
                    setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<CInt>.size))
                }
            #endif
            // An app that hangs reads no more; without an end to the sending, its test would hang too.
            var limit = timeval(tv_sec: patience, tv_usec: 0)
            setsockopt(ends[1], SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            return (ends[0], ends[1])
        }

        #if canImport(Darwin)
            private static let closeOnExec: CInt = 0
        #else
            private static let closeOnExec = CInt(O_CLOEXEC)
        #endif

        /// The descriptors of this process, but its streams, that a child would get: such as those of Foundation's
        /// `Pipe`.
        static func othersThatPass() -> [CInt] {
            #if os(Linux)
                let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
                return names.compactMap { CInt($0) }.filter {
                    let flags = fcntl($0, F_GETFD)
                    return $0 > 2 && flags >= 0 && flags & FD_CLOEXEC == 0
                }
            #else
                return []  // POSIX_SPAWN_CLOEXEC_DEFAULT
            #endif
        }

        /// Opens the device that is always empty and takes everything.
        static func null() -> CInt {
            open("/dev/null", O_RDWR | O_CLOEXEC)
        }

        static func close(_ descriptors: CInt...) {
            for descriptor in descriptors { system_close(descriptor) }
        }

        /// Blocks until one of the descriptors can be read or has come to its end, and says which.
        ///
        /// - Returns: Nothing if the time, in milliseconds, is over; -1 is for ever.
        static func readable(of descriptors: [CInt], milliseconds: CInt) -> [CInt] {
            var polls = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            while true {
                let count = poll(&polls, nfds_t(polls.count), milliseconds)
                if count >= 0 || errno != EINTR { break }
            }
            return polls.filter { $0.revents != 0 }.map(\.fd)
        }

        /// Reads what there is; `nil` at the end.
        static func read(_ descriptor: CInt) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: 65536)
            while true {
                let count = system_read(descriptor, &bytes, bytes.count)
                if count > 0 { return Array(bytes[..<count]) }
                if count == 0 || errno != EINTR { return nil }
            }
        }

        /// Makes a directory with a name of its own, which nobody else may enter.
        static func temporaryDirectory() throws -> URL {
            let pattern = FileManager.default.temporaryDirectory.appendingPathComponent("app.XXXXXX").path
            var template = Array(pattern.utf8CString)
            guard mkdtemp(&template) != nil else {
                throw AppLaunchError("\(pattern) cannot be made: \(UnixSocket.lastError)")
            }
            let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            return URL(fileURLWithPath: path, isDirectory: true)
        }
    }

    private func system_close(_ descriptor: CInt) {
        close(descriptor)
    }

    private func system_read(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer, _ count: Int) -> Int {
        read(descriptor, buffer, count)
    }

    private func system_pipe(_ ends: UnsafeMutablePointer<CInt>) -> CInt {
        pipe(ends)
    }
#endif
