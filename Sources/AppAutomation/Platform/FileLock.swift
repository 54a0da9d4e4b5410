import Foundation
import Groundwork

/// A lock that processes share. Its holder has the file locked; the system unlocks it when that process ends.
struct FileLock: Sendable {
    let path: String

    func withLock<Result>(_ body: () throws -> Result) throws -> Result {
        // Opened anew each time: a lock belongs to the open file, so threads of one process exclude each other too.
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SettingsError(path, "cannot be opened: \(SystemError.last)") }
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw SettingsError(path, "cannot be locked: \(SystemError.last)") }
        }
        return try body()
    }
}
