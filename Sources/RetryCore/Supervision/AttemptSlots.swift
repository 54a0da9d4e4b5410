import Foundation
import Groundwork
import RetryReport

/// The attempts of a supervised process of Swift Testing, in memory that its parent sees.
///
/// ``SharedProgress`` holds one attempt, and may hold addresses, because its processes are forks. Here many attempts run at
/// once, and each process starts afresh, so each slot holds text.
package final class AttemptSlots: @unchecked Sendable {
    // Safe to send: an attempt writes its slot under its lock, the rest is under locks as well, and the crash is one word.

    /// The slots of this process; `nil` unless a parent supervises it. Set at most once, before the first test.
    nonisolated(unsafe) package static var current: AttemptSlots?

    package enum Stage: UInt8, Codable, Sendable {
        case running, ended, flaked
        /// Nothing of its test is left to do.
        case passed
        /// A later process has resumed it.
        case taken
    }

    /// What is known of an attempt.
    package struct Entry: Codable, Sendable {
        /// The test, as Swift Testing's events name it.
        package let test: String
        /// Identifies the case within its test, the same in each process; `nil` if nothing can.
        package let testCase: String?
        package let retryCount: Int
        /// When it began, in seconds since 1970. Rounded as in the report, which so recognizes the attempt.
        package var start = (Date().timeIntervalSince1970 * 1000).rounded() / 1000
        package fileprivate(set) var stage = Stage.running
        /// The death that it caused.
        package var death: Death?
        /// The open sections, innermost first.
        package var marks: [MarkCount]?

        package init(test: String, testCase: String?, retryCount: Int) {
            (self.test, self.testCase, self.retryCount) = (test, testCase, retryCount)
        }

        package var sections: [Section] {
            marks?.map { Section(mark: $0.mark, site: .testing($0.file, $0.line)) } ?? []
        }
    }

    /// The place of one attempt: the length of its entry, that of all its lines, its stage, and the lines.
    package struct Slot: @unchecked Sendable {
        // Safe to send: an attempt writes it under its lock.
        package let number: Int
        package let start: Double
        fileprivate let memory: UnsafeMutableRawPointer

        /// Writes the open sections, innermost first; those that do not fit are left out.
        func write(open sections: some Sequence<Section>) {
            AttemptSlots.current?.head.pointee.moves &+= 1
            var end = memory.load(as: Int32.self)
            memory.storeBytes(of: end, toByteOffset: 4, as: Int32.self)  // none if the process dies while this writes
            for line in sections.lazy.map(AttemptSlots.line) where Int(end) + line.count <= AttemptSlots.room {
                (memory + 16 + Int(end)).copyMemory(from: line, byteCount: line.count)
                end += Int32(line.count)
            }
            memory.storeBytes(of: end, toByteOffset: 4, as: Int32.self)
        }

        package func end(_ stage: Stage) {
            write(open: [])
            memory.storeBytes(of: stage, toByteOffset: 8, as: Stage.self)
        }
    }

    /// The end of a process in a test, by a crash or by `exit`.
    package struct Crash: BitwiseCopyable, Sendable {
        /// 0 if the process called `exit`.
        package var signal: UInt8
        /// The place of the test, for one that has no attempts.
        package var column: UInt8
        package var line: UInt16
        /// The number of the attempt's slot.
        package var slot: Int32

        package init(signal: Int32, slot: Int?, line: Int = 0, column: Int = 0) {
            (self.signal, self.slot) = (UInt8(clamping: signal), Int32(slot ?? -1))
            (self.line, self.column) = (UInt16(clamping: line), UInt8(clamping: column))
        }

        package func isAt(_ line: Int, _ column: Int) -> Bool {
            (self.line, self.column) == (UInt16(clamping: line), UInt8(clamping: column))
        }
    }

    fileprivate struct Head: BitwiseCopyable {
        var counts = RunCounts()
        var used = 0
        var moves = 0
        /// In one word, because two threads may crash at once.
        var crash: UInt64 = 0
    }

    private static let size = 4096
    fileprivate static let room = size - 16
    private static let capacity = 1 << 14
    private static let lines = Locked<[Section: [UInt8]]>([:])
    private let memory: UnsafeMutableRawPointer
    fileprivate let head: UnsafeMutablePointer<Head>
    /// The numbers of the slots of the attempts that this process resumes, by their tests and cases.
    private let left = Locked<[[String]: Int]>([:])

    /// - Parameter file: A file that the processes share.
    package init(_ file: Descriptor) throws(SystemError) {
        let length = Self.size * (Self.capacity + 1)
        guard ftruncate(file.number, length) == 0 else { throw .last }
        let memory = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0)
        guard let memory, memory != MAP_FAILED else { throw .last }
        (self.memory, head) = (memory, memory.bindMemory(to: Head.self, capacity: 1))
        for case (let number, let entry?) in entries.enumerated() where entry.testCase != nil {
            left.withLock { $0[[entry.test, entry.testCase ?? ""]] = number }
        }
    }

    // MARK: - In the process that runs tests

    /// Takes a slot for an attempt; `nil` if there is no room.
    package func begin(_ entry: Entry) -> Slot? {
        left.withLock { _ in
            let (number, text) = (head.pointee.used, Self.line(entry))
            guard number < Self.capacity, text.count <= Self.room else { return nil }
            let slot = slot(number)
            (slot + 16).copyMemory(from: text, byteCount: text.count)
            for offset in [0, 4] { slot.storeBytes(of: Int32(text.count), toByteOffset: offset, as: Int32.self) }
            slot.storeBytes(of: entry.stage, toByteOffset: 8, as: Stage.self)
            head.pointee.used += 1
            return Slot(number: number, start: entry.start, memory: slot)
        }
    }

    /// Takes over the attempt after which a test resumes; `nil` if it begins.
    package func take(_ test: String, _ testCase: String) -> Entry? {
        guard let number = left.withLock({ $0.removeValue(forKey: [test, testCase]) }) else { return nil }
        defer { slot(number).storeBytes(of: .taken, toByteOffset: 8, as: Stage.self) }
        return entry(number)
    }

    package var counts: RunCounts {
        get { head.pointee.counts }
        set { head.pointee.counts = newValue }
    }

    // MARK: - In its parent

    /// The first crash of which the test is known, else the last. A signal handler may set it.
    package var crash: Crash? {
        get { head.pointee.crash == 0 ? nil : unsafeBitCast(head.pointee.crash, to: Crash.self) }
        set {
            guard let newValue, crash.map({ $0.slot < 0 && $0.line == 0 }) != false else { return }
            head.pointee.crash = unsafeBitCast(newValue, to: UInt64.self)
        }
    }

    /// How often a section was entered or left, or a little less, because attempts count it without a common lock.
    package var moves: Int { head.pointee.moves }

    /// The attempts by the numbers of their slots: first those that an earlier process left.
    package var entries: [Entry?] { (0..<head.pointee.used).map(entry) }

    /// Clears the memory for the next process, and puts these into it.
    ///
    /// - Returns: Those that have room.
    package func reset(to entries: some Sequence<Entry>) -> [Entry] {
        head.pointee = Head(counts: counts)
        return entries.filter { begin($0) != nil }
    }

    private func slot(_ number: Int) -> UnsafeMutableRawPointer { memory + Self.size * (number + 1) }

    private func entry(_ number: Int) -> Entry? {
        let slot = slot(number)
        let text = UnsafeRawBufferPointer(start: slot + 16, count: Int(slot.load(fromByteOffset: 4, as: Int32.self)))
        let lines = text.split(separator: UInt8(ascii: "\n")).map { Data($0) }
        guard let first = lines.first, var entry = try? JSONDecoder().decode(Entry.self, from: first) else {
            return nil
        }
        entry.stage = slot.load(fromByteOffset: 8, as: Stage.self)
        entry.marks =
            entry.marks ?? lines.dropFirst().compactMap { try? JSONDecoder().decode(MarkCount.self, from: $0) }
        return entry
    }

    /// Encoded once, because a section may be in a loop.
    private static func line(of section: Section) -> [UInt8] {
        lines.withLock { lines in
            if let line = lines[section] { return line }
            let mark = MarkCount(section.mark, file: section.place.file, line: section.place.line, module: nil)
            lines[section] = line(mark)
            return line(mark)
        }
    }

    /// These values can always be encoded.
    private static func line(_ value: some Encodable) -> [UInt8] {
        ((try? Array(JSONEncoder().encode(value))) ?? []) + [UInt8(ascii: "\n")]
    }
}
