import AppAutomation
import Foundation
import Groundwork

/// An app's output on one stream, in a file, so that nobody has to read while the app writes.
///
/// It can be read as long as this object lives, also when the file is removed.
final class KeptOutput: Sendable {
    /// Open for reading, and for writing at the end of the file.
    let descriptor: CInt
    private let limit: Int

    init(at path: String, limit: Int) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw AutomationError(.launch, "\(path) cannot be made: \(SystemError.last)") }
        self.limit = max(limit, 0)
    }

    deinit {
        close(descriptor)
    }

    /// The end, after a line that says how much came before.
    var text: String {
        let (end, before) = last(limit)
        return (before > 0 ? "[\(before) bytes came before]\n" : "") + end
    }

    /// As much as a person reads in a failure's message: enough for the reason of a crash and the short backtrace after it.
    func lastLines(named name: String) -> String {
        let (mostLines, mostCharacters) = (30, 4000)
        // No more bytes than can be shown. Four make a scalar, at most.
        let (end, _) = last(min(limit, 4 * mostCharacters))
        // By scalars: a carriage return and a line feed are one character. One line more, for what follows the last line
        // feed: most often nothing.
        let lines = end.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).suffix(mostLines + 1)
        let last = lines.map { String($0) }.joined(separator: "\n").suffix(mostCharacters)
            .trimmingCharacters(in: .newlines)
        return last.isEmpty ? "no \(name) of the app" : "the app's last \(name):\n\(last)"
    }

    private func last(_ count: Int) -> (text: String, before: Int) {
        let size = Int(lseek(descriptor, 0, SEEK_END))
        var bytes = [UInt8](repeating: 0, count: min(count, max(size, 0)))
        let read = pread(descriptor, &bytes, bytes.count, off_t(size - bytes.count))
        return (String(decoding: bytes.prefix(max(read, 0)), as: UTF8.self), size - bytes.count)
    }
}
