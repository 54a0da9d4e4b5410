#if os(macOS) || os(Linux)
    import AppAutomation
    import Foundation
    import Groundwork

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
                let result = Foundation.pipe(&ends)
                ends.forEach { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
                return result
            }
            guard result == 0 else { throw AppLaunchError("no pipe can be opened: \(SystemError.last)") }
            return (ends[0], ends[1])
        }

        /// Two sockets that are connected: unlike a pipe, writing when the other end is gone need not raise a signal.
        static func socketPair() throws -> (theirs: CInt, ours: CInt) {
            guard let ends = UnixSocket.pair() else {
                throw AppLaunchError("no socket can be opened: \(SystemError.last)")
            }
            return ends
        }

        /// The descriptors that a child would inherit, other than the standard streams: such as those of Foundation's
        /// `Pipe`.
        static func othersThatPass() throws -> [CInt] {
            #if os(Linux)
                let folder = "/proc/self/fd"
                let names: [String]
                do {
                    names = try FileManager.default.contentsOfDirectory(atPath: folder)
                } catch {
                    throw AppLaunchError("\(folder) lists what must not pass to an app, and cannot be read: \(error)")
                }
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
            for descriptor in descriptors { Foundation.close(descriptor) }
        }

        /// Makes a directory with a name of its own, which nobody else may enter.
        static func temporaryDirectory() throws -> URL {
            let pattern = FileManager.default.temporaryDirectory.appendingPathComponent("app.XXXXXX").path
            var template = Array(pattern.utf8CString)
            guard mkdtemp(&template) != nil else {
                throw AppLaunchError("\(pattern) cannot be made: \(SystemError.last)")
            }
            let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
            return URL(fileURLWithPath: path, isDirectory: true)
        }
    }
#endif
