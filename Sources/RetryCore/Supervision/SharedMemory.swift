import Foundation
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

/// Values, in memory that processes share, as one of them wrote them last: each as a line of JSON.
package struct SharedLines: @unchecked Sendable {
    // Safe to send: it is only an address. Lines are written under the lock of an attempt or of a run.
    static let size = 4096
    /// The number of bytes, and then the lines.
    private let memory: UnsafeMutableRawBufferPointer
    /// The lines of sections, encoded once, because a section may be in a loop.
    private static let known = Locked<[Section: [UInt8]]>([:])

    /// - Parameter memory: As many bytes as `size`, which are 0 at first.
    init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

    init() throws(SystemError) {
        memory = UnsafeMutableRawBufferPointer(try share([UInt8](repeating: 0, count: Self.size)))
    }

    /// Writes sections, innermost first.
    func write(_ sections: some Sequence<Section>) { write(lines: sections.lazy.map(Self.line)) }

    func write(_ value: some Encodable) { write(lines: [Self.line(value)]) }

    /// Writes lines in place of those before; those that do not fit are left out.
    private func write(lines: some Sequence<[UInt8]>) {
        memory.storeBytes(of: 0, as: Int.self)  // so that there are none if the process dies while it writes
        var end = MemoryLayout<Int>.size
        for line in lines where end + line.count <= Self.size {
            memory[end..<end + line.count].copyBytes(from: line)
            end += line.count
        }
        memory.storeBytes(of: end, as: Int.self)
    }

    func values<Value: Decodable>(_ type: Value.Type) -> [Value] {
        let lines = memory[..<memory.load(as: Int.self)].dropFirst(MemoryLayout<Int>.size)
        return lines.split(separator: UInt8(ascii: "\n")).compactMap { line in
            try? JSONDecoder().decode(type, from: Data(line))
        }
    }

    /// The sections as they were written last, innermost first.
    package var sections: [Section] {
        values(MarkCount.self).map { Section(mark: $0.mark, site: .testing($0.file, $0.line)) }
    }

    private static func line(of section: Section) -> [UInt8] {
        known.withLock { known in
            if let line = known[section] { return line }
            let mark = MarkCount(section.mark, file: section.place.file, line: section.place.line, module: nil)
            known[section] = line(mark)
            return line(mark)
        }
    }

    /// These values can always be encoded.
    private static func line(_ value: some Encodable) -> [UInt8] {
        ((try? Array(JSONEncoder().encode(value))) ?? []) + [UInt8(ascii: "\n")]
    }
}
