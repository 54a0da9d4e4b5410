import Foundation
import Groundwork

/// The attempts of a supervised process of Swift Testing, in memory that its parent sees.
///
/// ``SharedProgress`` holds one attempt, and may hold addresses, because its processes are forks. Here many attempts run at
/// once, and each process starts afresh, so each slot holds text.
package final class AttemptSlots: @unchecked Sendable {
    // Safe to send: an attempt writes its slot under its lock, the rest is under locks as well, and the crash is one word.

    /// The slots of this process; `nil` unless a parent supervises it. Set at most once, before the first test.
    nonisolated(unsafe) package static var current: AttemptSlots?

    package enum Stage: UInt8, BitwiseCopyable, Sendable {
        case running, ended, flaked
        /// Nothing of its test is left to do.
        case passed
        /// It is no attempt, but a suite whose traits run code around its tests; and one of which only those may go on that
        /// stand before `.retryable`.
        case suite, leftSuite
    }

    /// What changes of an attempt in one step, at whatever moment the process dies.
    package struct State: BitwiseCopyable, Sendable {
        /// When it began, in seconds since 1970. Rounded as in the report, which so recognizes the attempt.
        package var start = (Date().timeIntervalSince1970 * 1000).rounded() / 1000
        package var stage = Stage.running
        /// A failure was noted. The process may die before Swift Testing has written that down.
        package fileprivate(set) var hasFailed = false
        /// A later process has resumed it.
        package fileprivate(set) var isTaken = false
    }

    /// What is known of an attempt.
    package struct Entry: Codable, Sendable {
        /// The test, as Swift Testing's events name it.
        package let test: String
        /// Identifies the case within its test, the same in each process; `nil` if nothing can.
        package let testCase: String?
        package let retryCount: Int
        /// The death that it caused.
        package var death: Death?
        package fileprivate(set) var state = State()
        /// The open sections, innermost first.
        package var sections: [Section] = []
        package fileprivate(set) var flake: Flake?

        package init(test: String, testCase: String?, retryCount: Int) {
            (self.test, self.testCase, self.retryCount) = (test, testCase, retryCount)
        }

        package init(suite: String) {
            self.init(test: suite, testCase: nil, retryCount: 0)
            state.stage = .suite
        }

        private enum CodingKeys: CodingKey { case test, testCase, retryCount, death }

        /// The test is to go on after it.
        package var isToGoOn: Bool {
            death != nil || state.stage == .flaked || state.stage == .passed || state.stage == .running && flake != nil
        }
    }

    /// The place of one attempt.
    package struct Slot: @unchecked Sendable {
        // Safe to send: an attempt writes it under its lock.
        package let number: Int
        fileprivate static let size = 3 * part
        private static let part = 2048
        fileprivate let state: UnsafeMutablePointer<State>

        private func lines(_ start: Int, _ end: Int) -> SharedLines {
            SharedLines(
                UnsafeMutableRawBufferPointer(start: UnsafeMutableRawPointer(state) + start, count: end - start)
            )
        }

        fileprivate var facts: SharedLines { lines(MemoryLayout<State>.stride, Self.part) }
        fileprivate var open: SharedLines { lines(Self.part, 2 * Self.part) }
        private var flake: SharedLines { lines(2 * Self.part, Self.size) }

        package var start: Double { state.pointee.start }

        fileprivate var entry: Entry? {
            var entry = facts.values(Entry.self).first
            entry?.state = state.pointee
            if state.pointee.stage == .flaked { entry?.death = nil }  // it is a flake now
            entry?.sections = open.sections
            entry?.flake = flake.flake
            return entry
        }

        func write(open sections: some Sequence<Section>) {
            if AttemptSlots.current?.isEnding == true { return }
            AttemptSlots.current?.countMove()
            open.write(sections)
        }

        func write(_ flake: Flake?) { self.flake.write(flake) }

        func noteFailure() {
            if AttemptSlots.current?.isEnding == true { return }
            state.pointee.hasFailed = true
        }

        package func end(_ stage: Stage) {
            if AttemptSlots.current?.isEnding == true { return }
            // The stage first: if the process died between the two, the next one would judge the attempt's death as one in no section.
            state.pointee.stage = stage
            write(open: [])
        }
    }

    /// The end of a process in a test, by a crash or by `exit`.
    package struct Crash: BitwiseCopyable, Sendable {
        /// Added to a signal that was sent, for instance by `abort`. A test may survive it.
        package static let sent: Int32 = 0x80
        package var isSent: Bool { Int32(code) & Self.sent != 0 }
        /// 0 if the process called `exit`.
        package var signal: Int32 { Int32(code) & ~Self.sent }
        private let code: UInt8
        /// The place of the test, for one that has no attempts.
        private let column: UInt8
        private let line: UInt16
        /// The number of the attempt's slot and 1, so that no crash is 0 as a word; 0 if there is no attempt. With a line, the hash of
        /// the file's name.
        private let slotOrFile: UInt32

        /// The process ends by it, unless a test has sent `SIGABRT` itself. (`abort` sends it once more after a handler.)
        package var isFatal: Bool { signal != 0 && (!isSent || signal == SIGABRT) }

        package init(signal: Int32, slot: Int?) {
            (self.code, self.slotOrFile) = (UInt8(clamping: signal), UInt32((slot ?? -1) + 1))
            (line, column) = (0, 0)
        }

        /// Allocates nothing.
        package init(signal: Int32, file: String, line: Int, column: Int) {
            (self.code, self.slotOrFile) = (UInt8(clamping: signal), Self.hash(file.utf8))
            (self.line, self.column) = (UInt16(clamping: line), UInt8(clamping: column))
        }

        package var slot: Int? { slotOrFile == 0 || line != 0 ? nil : Int(slotOrFile) - 1 }

        /// Whether the process may have ended by it. A crash handler that takes too long is killed, and a sanitizer's calls `_exit`. A
        /// process that survives a signal that was sent is killed, too.
        package func mayHaveCaused(_ death: Death) -> Bool {
            let endings = isSent ? [signal] : [signal, SIGKILL]
            return signal == 0 || isSanitized || endings.contains { death == .ended(.signal($0)) }
        }

        /// It happened in this test, such as `Shop.CartTests/fills()/Cart.swift:12:4`, which has no attempts.
        package func isIn(_ test: String) -> Bool {
            let place = ":\(line):\(column)"
            return line != 0 && test.hasSuffix(place) && Self.hash(test.dropLast(place.count).utf8) == slotOrFile
        }

        /// The hash (FNV-1a) of what stands after the last slash.
        private static func hash(_ path: some Sequence<UInt8>) -> UInt32 {
            path.reduce(2_166_136_261) { $1 == 0x2F ? 2_166_136_261 : ($0 ^ UInt32($1)) &* 16_777_619 }
        }

        /// A crash in what a suite's trait does around its tests, which is in no test.
        package static func ofSuite(signal: Int32) -> Crash { Crash(signal: signal, slot: Int(UInt32.max) - 1) }
        package var isOfSuite: Bool { slotOrFile == .max && line == 0 }

        /// It is known which test crashed.
        fileprivate var isOfTest: Bool { slot != nil || line != 0 }
    }

    fileprivate struct Head: BitwiseCopyable {
        var counts = RunCounts()
        var used = 0
        var moves = 0
        /// In one word, because two threads may crash at once.
        var crash: UInt64 = 0
        var eventsEnd: Int?
    }

    private static let capacity = 1 << 14
    fileprivate let head: UnsafeMutablePointer<Head>
    /// This process is ending. Its other threads go on for a moment, and what they do must not count. A signal handler may set it.
    package var isEnding = false
    /// The moves of this process. Under a lock of its own, as attempts have none in common.
    private let moved = Locked(0)
    /// The slots of the attempts with which this process goes on, by their tests and cases.
    private let left = Locked<[[String]: Slot]>([:])

    /// - Parameter file: A file that the processes share.
    package init(_ file: Descriptor) throws(SystemError) {
        let length = Slot.size * (Self.capacity + 1)
        guard ftruncate(file.number, length) == 0 else { throw .last }
        let memory = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0)
        guard let memory, memory != MAP_FAILED else { throw .last }
        head = memory.bindMemory(to: Head.self, capacity: 1)
        for slot in slots {
            guard let entry = slot.entry, let testCase = entry.testCase else { continue }
            left.withLock { $0[[entry.test, testCase]] = slot }
        }
    }

    /// The slots in use, by their numbers.
    private var slots: [Slot] { (0..<head.pointee.used).map(slot) }

    private func slot(_ number: Int) -> Slot {
        let start = UnsafeMutableRawPointer(head) + Slot.size * (number + 1)
        return Slot(number: number, state: start.bindMemory(to: State.self, capacity: 1))
    }

    // MARK: - In the process that runs tests

    /// Takes a slot for an attempt; `nil` if there is no room.
    package func begin(_ entry: Entry) -> Slot? {
        left.withLock { _ in
            let slot = slot(head.pointee.used)
            guard slot.number < Self.capacity else { return nil }
            slot.facts.write(entry)
            if slot.facts.values(Entry.self).isEmpty { return nil }
            slot.open.write(entry.sections)
            countMove()
            slot.write(entry.flake)
            slot.state.pointee = entry.state
            slot.state.pointee.isTaken = false
            head.pointee.used += 1
            return slot
        }
    }

    /// Takes over the attempt after which a test resumes; `nil` if it begins.
    package func take(_ test: String, _ testCase: String) -> (slot: Slot, entry: Entry)? {
        guard let slot = left.withLock({ $0.removeValue(forKey: [test, testCase]) }) else { return nil }
        slot.state.pointee.isTaken = true
        return slot.entry.map { (slot, $0) }
    }

    /// Counts that an attempt begins or ends, or enters or leaves a section, for the parent, which ends what hangs.
    fileprivate func countMove() {
        moved.withLock { count in
            count &+= 1
            head.pointee.moves = count
        }
    }

    package var counts: RunCounts {
        get { head.pointee.counts }
        set { head.pointee.counts = newValue }
    }

    // MARK: - In its parent

    /// The first crash by a signal of which the test is known, else the last by a signal, else the first exit, which may take longer
    /// to end the process. A signal handler may set it.
    package var crash: Crash? {
        get { head.pointee.crash == 0 ? nil : unsafeBitCast(head.pointee.crash, to: Crash.self) }
        set {
            guard let newValue else { return }
            if let crash, newValue.signal == 0 || crash.signal != 0 && crash.isOfTest { return }
            head.pointee.crash = unsafeBitCast(newValue, to: UInt64.self)
        }
    }

    /// The size that the file of the events had when the process began to end. A signal handler may set it.
    package var eventsEnd: Int? {
        get { head.pointee.eventsEnd }
        set { head.pointee.eventsEnd = head.pointee.eventsEnd ?? newValue }
    }

    /// How often an attempt began or ended, or entered or left a section.
    package var moves: Int { head.pointee.moves }

    /// The attempts by the numbers of their slots: first those that an earlier process left.
    package var entries: [Entry?] { slots.map(\.entry) }

    /// Clears the memory for the next process, and puts these into it.
    ///
    /// - Returns: The number of those that have room.
    package func reset(to entries: some Sequence<Entry>) -> Int {
        head.pointee = Head(counts: counts)
        return entries.count { begin($0) != nil }
    }
}
