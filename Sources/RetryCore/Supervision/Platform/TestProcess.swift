#if !canImport(ObjectiveC)
    import Foundation
    import Groundwork

    /// A process that runs tests, as seen by its parent, which waits for its end.
    package struct TestProcess {
        package let identifier: pid_t

        /// Forks a child, which the system ends when its parent ends.
        ///
        /// - Returns: The child, in the parent; in the child, `nil`.
        package static func start() throws(SystemError) -> TestProcess? {
            typealias Control = @convention(c) (_ option: CInt, _ argument: CUnsignedLong) -> CInt
            guard let control: Control = Runtime.function("prctl") else { throw .last }
            let parent = getpid()
            // Unblocked, because this process may have been started with them blocked. The first three end the run, and
            // `printBacktrace` sends the next two.
            var unblocked = signalSet(SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGVTALRM, SIGCHLD)
            pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
            _ = signal(SIGCHLD, SIG_DFL)  // if it were ignored, the system would discard the child's status
            let identifier = fork()
            if identifier > 0 { return TestProcess(identifier: identifier) }
            if identifier < 0 { throw .last }
            let endWithParent: CInt = 1  // PR_SET_PDEATHSIG
            _ = control(endWithParent, CUnsignedLong(SIGKILL))
            if getppid() != parent { _exit(1) }
            return nil
        }

        /// Gives this thread its own number where libraries keep it in thread-local variables. With that of its parent's, it would hang
        /// while it initializes something that another thread waits for: Swift's runtime and its `Mutex` lock by these numbers.
        /// Dispatch keeps the parent's, because the main queue has it, too.
        ///
        /// To be called in a child whose parent had no other thread, which may have held what this waits for.
        package static func renewThreadNumber() {
            typealias Visit =
                @convention(c) (_ library: UnsafeRawPointer, _ size: Int, _ parent: UnsafeMutableRawPointer?) -> CInt
            typealias Iterate = @convention(c) (Visit, UnsafeMutableRawPointer?) -> CInt
            var parent = getppid()
            // Many variables are 1, as the parent's number may be in a container.
            guard Int.bitWidth == 64, parent > 1, let iterate: Iterate = Runtime.function("dl_iterate_phdr") else {
                return
            }
            _ = iterate(
                { library, _, parent in
                    // The fields of `dl_phdr_info`, the last one is this thread's variables, and of `Elf64_Phdr`.
                    let segments = library.load(fromByteOffset: 16, as: UnsafeRawPointer?.self)
                    let count = library.load(fromByteOffset: 24, as: UInt16.self)
                    let variables = library.load(fromByteOffset: 56, as: UnsafeMutableRawPointer?.self)
                    let path = library.load(fromByteOffset: 8, as: UnsafePointer<CChar>?.self)
                    guard let segments, let variables, let parent = parent?.load(as: pid_t.self) else { return 0 }
                    if let path, String(cString: path).contains("libdispatch") { return 0 }
                    for segment in (0..<Int(count)).map({ segments + 56 * $0 }) {
                        guard segment.load(as: UInt32.self) == 7 else { continue }  // PT_TLS
                        let initialized = segment.load(fromByteOffset: 32, as: Int.self)
                        let size = segment.load(fromByteOffset: 40, as: Int.self)
                        TestProcess.replace(parent, with: getpid(), from: variables + initialized, to: variables + size)
                    }
                    return 0
                },
                &parent
            )
        }

        /// Replaces a thread's number where a variable has it. The upper half of a pointer may have it by chance.
        static func replace(
            _ number: pid_t,
            with new: pid_t,
            from start: UnsafeMutableRawPointer,
            to end: UnsafeMutableRawPointer
        ) {
            // A library that has only variables of a byte each may have them anywhere.
            for word in stride(from: start.alignedUp(toMultipleOf: 4), through: end - 4, by: 4) {
                guard word.load(as: pid_t.self) == number else { continue }
                let mayBeHalf = UInt(bitPattern: word) % 8 == 4 && word - 4 >= start && number < 0x8000
                let isOfPointer = mayBeHalf && (word - 4).load(as: UInt32.self) > 0xFFFF
                if !isOfPointer { word.storeBytes(of: new, as: pid_t.self) }
            }
        }

        /// Waits for its end, or for `limit` seconds in which `moves` stays the same, or is `nil` as long as nothing can hang.
        ///
        /// - Parameters:
        ///   - isCrashing: If it is, it has a minute for that: a crash handler may wait for what its own thread holds.
        ///   - willKill: Called if it has hung, before it is ended. After its backtrace is printed, its threads go on for a moment:
        ///     what they record then must not count.
        package func waitForEnd(
            limit: Double?,
            of moves: () -> Int?,
            isCrashing: () -> Bool,
            willKill: () -> Void
        ) -> Death {
            // A tick counts as one, however long this process was stopped or the machine asleep.
            let tick = 0.01
            var (status, crashing, quiet, seen): (CInt, Double, Double, Int?) = (0, 0, 0, moves())
            // Not by a signal, which another thread of this process may take.
            while waitpid(identifier, &status, WNOHANG) != identifier {
                usleep(10_000)
                if isCrashing() { crashing += tick }
                if crashing > 60 { kill(identifier, SIGKILL) }
                let now = moves()
                guard let limit else { continue }
                let isQuiet = now == seen && now != nil && crashing == 0
                quiet = isQuiet ? quiet + (isStopped ? 0 : tick) : 0
                seen = now
                guard quiet >= limit else { continue }
                if endHung(unless: { moves() != seen || isCrashing() }, willKill) { return .hang(seconds: limit) }
                quiet = 0
            }
            let ending = ProcessEnding(status: status)
            // A signal that ends the whole run may reach the child first, and this process right after.
            if [SIGTERM, SIGINT, SIGHUP].contains(where: { ending == .signal($0) }) { usleep(100_000) }
            return .ended(ending)
        }

        private var fields: [Substring] { processFields(of: identifier) ?? [] }

        /// A signal or a debugger has stopped it.
        private var isStopped: Bool { fields.first?.lowercased() == "t" }

        /// It has ended and has not been waited for.
        private var isOver: Bool { fields.first == "Z" }

        /// It has a handler for `SIGQUIT`.
        private var handlesQuit: Bool {
            let handled = fields.dropFirst(31).first.flatMap { UInt64($0) } ?? 0
            return handled >> (SIGQUIT - 1) & 1 == 1
        }

        /// The processes that a process has started, and those that they have; none if it has ended.
        private static func descendants(of process: pid_t) -> [pid_t] {
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
            let children = threads.flatMap { thread in
                (FilePath("/proc/\(process)/task/\(thread)/children").readText() ?? "").split(separator: " ")
            }
            return children.compactMap { pid_t($0) }.flatMap { [$0] + descendants(of: $0) }
        }

        /// Stops it, then ends it and the processes that it has started.
        ///
        /// - Returns: `false` if it has moved, and goes on, or has ended by itself.
        private func endHung(unless hasMoved: () -> Bool, _ willKill: () -> Void) -> Bool {
            kill(identifier, SIGSTOP)
            var info = siginfo_t()
            waitid(P_PID, id_t(identifier), &info, WSTOPPED | WEXITED | WNOWAIT)
            if hasMoved() || isOver {
                kill(identifier, SIGCONT)
                return false
            }
            let started = Self.descendants(of: identifier)
            willKill()
            if handlesQuit { printBacktrace() }
            for process in [identifier] + started { kill(process, SIGKILL) }
            waitpid(identifier, nil, 0)
            return true
        }

        /// After a signal that was sent, the crash handler prints and returns, and the test would go on, with its `sleep` cut
        /// short. So a second signal is pending when the process continues: the kernel delivers the lower one first, whose
        /// handler holds back the other, which then ends the process before its main thread runs the test again.
        private func printBacktrace() {
            // To the main thread, whose number is the process's: sent to the process, another thread could take the second one.
            typealias Send = @convention(c) (_ process: pid_t, _ thread: pid_t, _ signal: CInt) -> CInt
            guard let send: Send = Runtime.function("tgkill") else { return }
            for signal in [SIGQUIT, SIGVTALRM] { _ = send(identifier, identifier, signal) }
            kill(identifier, SIGCONT)
            // Reading the symbols of a large program takes long.
            for _ in 0..<6000 {
                if isOver { return }
                usleep(10_000)
            }
        }
    }
#endif
