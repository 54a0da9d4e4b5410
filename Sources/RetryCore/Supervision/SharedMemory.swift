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

/// Values in memory that processes share, as one of them wrote them last: each as a line of JSON.
package struct SharedLines: @unchecked Sendable {
    // Safe to send: it is only an address. Lines are written under the lock of an attempt or of a run.

    /// The number of bytes that are used, and then the lines.
    private let memory: UnsafeMutableRawBufferPointer
    /// Encoded once, because a section may be in a loop.
    private static let sections = Locked<[Section: [UInt8]]>([:])

    /// - Parameter memory: Memory that is 0 at first.
    init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

    init() throws(SystemError) {
        memory = UnsafeMutableRawBufferPointer(try share([UInt8](repeating: 0, count: 1 << 14)))
    }

    /// Writes lines in place of those before. One that has no room is left out.
    private func write(lines: some Sequence<[UInt8]>) {
        memory.storeBytes(of: 0, as: Int.self)  // so that there are none if the process dies while it writes
        var end = MemoryLayout<Int>.size
        for line in lines where end + line.count <= memory.count {
            memory[end..<end + line.count].copyBytes(from: line)
            end += line.count
        }
        memory.storeBytes(of: end, as: Int.self)
    }

    func write(_ value: some Encodable) { write(lines: [Self.line(value)]) }

    func values<Value: Decodable>(_ type: Value.Type) -> [Value] {
        memory[..<memory.load(as: Int.self)].dropFirst(MemoryLayout<Int>.size).split(separator: UInt8(ascii: "\n"))
            .compactMap { try? JSONDecoder().decode(type, from: Data($0)) }
    }

    /// These values can always be encoded.
    private static func line(_ value: some Encodable) -> [UInt8] {
        ((try? Array(JSONEncoder().encode(value))) ?? []) + [UInt8(ascii: "\n")]
    }

    // MARK: - Sections

    private struct SectionLine: Codable {
        var mark: MarkCount
        /// The bytes of XCTest's `StaticString`. Its characters are the program's, which forked processes run as well.
        var file: [UInt8]?
    }

    /// Writes sections, innermost first.
    func write(_ sections: some Sequence<Section>) { write(lines: sections.lazy.map(Self.line)) }

    private static func line(of section: Section) -> [UInt8] {
        sections.withLock { sections in
            if let line = sections[section] { return line }
            let (file, line) = section.place
            var value = SectionLine(mark: MarkCount(section.mark, file: file, line: line, module: nil))
            if case .xctest(let file, _) = section.site { value.file = withUnsafeBytes(of: file, Array.init) }
            sections[section] = Self.line(value)
            return Self.line(value)
        }
    }

    func write(_ flake: Flake?) {
        write(lines: flake.map { [Self.line(of: $0.section), Self.line($0.failure)] } ?? [])
    }

    package var flake: Flake? {
        let lost = "what failed was too long to keep when its process died"
        let failure = values(Failure.self).first ?? Failure(unplaced: lost)
        return sections.first.map { Flake(section: $0, failure: failure) }
    }

    /// The sections as they were written last, innermost first.
    package var sections: [Section] {
        values(SectionLine.self).map { line in
            let file = line.file?.withUnsafeBytes { $0.loadUnaligned(as: StaticString.self) }
            let site = file.map { CallSite.xctest($0, UInt(line.mark.line)) }
            return Section(mark: line.mark.mark, site: site ?? .testing(line.mark.file, line.mark.line))
        }
    }
}
