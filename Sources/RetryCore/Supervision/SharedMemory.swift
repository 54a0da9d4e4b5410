import Groundwork
import RetryReport

/// Puts values into memory that this process shares with those that it forks. The memory is never freed.
func share<Element: BitwiseCopyable>(
    _ values: [Element]
) throws(SystemError) -> UnsafeMutableBufferPointer<Element> {
    let size = max(values.count, 1) * MemoryLayout<Element>.stride
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANON, -1, 0)
    guard let memory, memory != MAP_FAILED else { throw .last }
    let start = memory.bindMemory(to: Element.self, capacity: values.count)
    let elements = UnsafeMutableBufferPointer(start: start, count: values.count)
    _ = elements.initialize(from: values)
    return elements
}

/// Sections of an attempt, in memory that is shared with forked processes.
package struct SharedSections: @unchecked Sendable {
    // Safe to send: it is only addresses. Sections are written under the lock of the run.

    private struct Entry: BitwiseCopyable, Sendable {
        /// The place of a text in `characters`.
        typealias Text = (start: Int, end: Int)

        /// Its characters are the program's, which all these processes run.
        var file: StaticString = ""
        var line: UInt = 0
        var reason: Text = (0, 0)
        var maxRetryCount = 0
        var isFixable = false
        var matching: Text?
        var until: Text?
    }

    private let count: UnsafeMutableBufferPointer<Int>
    private let entries: UnsafeMutableBufferPointer<Entry>
    private let characters: UnsafeMutableBufferPointer<UInt8>

    init() throws(SystemError) {
        count = try share([0])
        // Older sections, and text that does not fit, are left out.
        entries = try share(Array(repeating: Entry(), count: 64))
        characters = try share(Array(repeating: 0, count: 1 << 14))
    }

    func clear() { count[0] = 0 }

    /// - Parameter sections: The sections, innermost first.
    func write(_ sections: some Sequence<Section>) {
        clear()  // so that there are none if the process dies while it writes
        var (written, end) = (0, 0)
        func write(_ text: String) -> Entry.Text {
            let start = end
            end = characters[start...].update(from: text.utf8).index  // as much as there is room for
            return (start, end)
        }
        for section in sections.prefix(entries.count) {
            guard case .xctest(let file, let line) = section.site else { continue }
            entries[written] = Entry(
                file: file,
                line: line,
                reason: write(section.mark.reason),
                maxRetryCount: section.mark.maxRetryCount,
                isFixable: section.mark.isFixable,
                matching: section.mark.matching.map(write),
                until: section.mark.until.map(write)
            )
            written += 1
        }
        count[0] = written
    }

    /// The sections as they were written last, innermost first.
    package var sections: [Section] {
        func read(_ text: Entry.Text) -> String {
            String(decoding: characters[text.start..<text.end], as: UTF8.self)
        }
        return entries.prefix(count[0]).map { entry in
            let mark = Flakiness(
                reason: read(entry.reason),
                maxRetryCount: entry.maxRetryCount,
                isFixable: entry.isFixable,
                matching: entry.matching.map(read),
                until: entry.until.map(read)
            )
            return Section(mark: mark, site: .xctest(entry.file, entry.line))
        }
    }
}
