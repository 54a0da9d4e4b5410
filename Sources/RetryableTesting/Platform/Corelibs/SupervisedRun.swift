#if !canImport(ObjectiveC)
    import Foundation
    import Groundwork
    import RetryCore

    /// Runs the tests in a child process and, if that dies, those that are left in another.
    struct SupervisedRun {
        /// Called before the first test. If supervision is asked for and possible, this runs all tests in child processes and ends
        /// this one; else it returns, and Swift Testing runs them here.
        static func begin() {
            let (settings, decline) = (ProcessContext.shared.settings, ProcessContext.shared.warnUnsupervised)
            guard settings.isSupervised, AttemptSlots.current == nil else { return }
            if ProcessContext.shared.isOfBazel { return decline("Bazel's runner runs the tests") }
            let others = [
                "--repetitions", "--repeat-until", "--configuration-path", "--experimental-configuration-path",
            ]
            if let other = others.first(where: { argument($0) != nil }) { return decline("\(other) is given") }
            do throws(SystemError) {
                var run = try SupervisedRun()
                run.runAll(first: try run.runProcess())
            } catch {
                decline("\(error)")
            }
        }

        /// The value of an argument of this process.
        private static func argument(_ name: String) -> String? {
            let arguments = CommandLine.arguments
            let value = arguments.first { $0.hasPrefix("\(name)=") }?.dropFirst(name.count + 1)
            return value.map(String.init)
                ?? arguments.firstIndex(of: name).flatMap { arguments.dropFirst($0 + 1).first }
        }

        private let memory, configuration: Descriptor
        private let slots: AttemptSlots
        private var events: RunEvents
        /// The attempts of the process that ended last, by the numbers of their slots.
        private var entries: [AttemptSlots.Entry?] = []
        /// The attempts that have died. A trait that runs a test twice may give the retry of its second time to its first one,
        /// and then each process would end in the same way.
        private var died: Set<[String]> = []
        /// The attempts with which the next process goes on, by their tests and cases.
        private var left: [[String]: AttemptSlots.Entry] = [:]
        /// The number of those with which the last one went on. They have the first slots.
        private var inherited = 0
        /// The deaths of which no test is known to be the cause, and the tests that ran then. Those of the last one that are
        /// left are run again, one after the other.
        private var searches: [Search] = []
        /// The first exit code of a process that is not 0.
        private var exitCode: Int32?
        private var deaths: [String] = []

        private struct Search {
            let death: Death
            /// It may have been in a test's own task: the test is known, or the handler could not run, such as where a stack has
            /// overflowed or a thread blocks `SIGABRT`.
            let mayBeOfTest: Bool
            let tests: Set<String>
            /// The tests whose attempts are repeated.
            let repeated: Set<String>
            /// The tests and cases of which an open section could have held the death.
            let inSection: Set<[String]>
            var left: Set<String>

            /// A death that a section holds explains it only if one could have held the first one as well.
            func isExplained(by entry: AttemptSlots.Entry?, of test: String, isOfTest: Bool) -> Bool {
                guard repeated.contains(test), mayBeOfTest || !isOfTest else { return false }
                guard let entry, entry.canHold(death) else { return true }
                return inSection.contains(entry.key)
            }
        }

        private init() throws(SystemError) {
            let stream = ["--event-stream-output-path", "--experimental-event-stream-output"]
            events = try RunEvents(passedOnTo: stream.lazy.compactMap(Self.argument).first)
            (memory, configuration) = (try .unnamed(), try .unnamed())
            slots = try AttemptSlots(memory)
        }

        // MARK: - Processes

        private mutating func runAll(first: Death) -> Never {
            var (death, overBefore, deathsInVain) = (first, 0, 0)
            while true {
                takeAttempts()
                let isProgress = events.over.count > overBefore
                if events.isWhole, case .ended(.exitCode(let code)) = death, slots.crash?.isFatal != true {
                    if code != 0 { exitCode = exitCode ?? code }
                    if searches.isEmpty { end() }
                    (searches[searches.count - 1].left, deathsInVain) = ([], 0)
                } else {
                    verifySuitesEnd()
                    deathsInVain = explain(death) || isProgress ? 0 : deathsInVain + 1
                }
                for index in searches.indices { searches[index].left.subtract(events.over) }
                while let search = searches.last, search.left.isEmpty {
                    searches.removeLast()
                    events.fail("none of these \(search.death) again in the same way: \(Self.names(search.tests))")
                }
                overBefore = events.over.count
                // After a death that is not explained, the tests that ran are run again, then one of them, which then has failed.
                if deathsInVain > 3 || overBefore > 0 && overBefore == events.tests.count { end() }
                do throws(SystemError) {
                    death = try runProcess()
                } catch {
                    events.fail("the rest of the tests did not run: \(error)")
                    end()
                }
            }
        }

        /// Runs the tests that are left in a process, and waits for its end.
        private mutating func runProcess() throws(SystemError) -> Death {
            inherited = slots.reset(to: left.values)
            let suspects = searches.last?.left
            let skipped = suspects.map(Set(events.tests).subtracting) ?? events.over
            try configuration.replaceAll(with: events.settings(skipping: skipped))
            try events.beginProcess()
            // Before the arguments of this process, because the first of each kind counts.
            let own = [
                "--event-stream-output-path", events.file.path, "--configuration-path", configuration.path,
                SupervisedProcess.argument(memory, events.file, configuration),
                suspects == nil ? "--parallel" : "--no-parallel",
            ]
            let given = (0..<Int(CommandLine.argc)).map { CommandLine.unsafeArgv[$0] }
            var arguments = Array(given.prefix(1)) + own.map { strdup($0) } + given.dropFirst() + [nil]
            fflush(nil)
            guard let process = try TestProcess.start() else {
                // Nothing else may happen here: a lock that another thread held will never be released.
                execv("/proc/self/exe", &arguments)
                _exit(127)
            }
            let death = process.waitForEnd(limit: ProcessContext.shared.settings.hangLimit) {
                try? events.read(upTo: slots.eventsEnd)  // an error shows at the end, if it does not hang
                return events.length == 0 ? nil : events.length &+ slots.moves
            } isCrashing: {
                slots.crash != nil
            } willKill: {
                entries = slots.entries
            }
            if case .ended = death {
                try events.read(upTo: slots.eventsEnd, isLast: true)
                entries = slots.entries
            }
            if suspects == nil { events.endProcess() }  // of the tests of their suites, the others were not to run
            return death
        }

        /// Ends this process: green only if every test has ended and nothing has failed in any process.
        private mutating func end() -> Never {
            let missing = Set(events.tests).subtracting(events.over)
            if !missing.isEmpty {
                events.fail("\(missing.count.of("test")) did not end, so the run has failed: \(Self.names(missing))")
            }
            let code = events.hasFailure ? 1 : exitCode ?? 0
            ProcessContext.shared.resume(slots.counts)
            ProcessContext.shared.finish()
            events.end()
            if !deaths.isEmpty {
                if let path = Self.argument("--xunit-output") { events.writeResults(to: path) }
                if code != 0 { log("the run has failed") }  // the last process may have passed
                log("\(deaths.count.of("process", "processes")) died: \(deaths.firstFew)")
            }
            fflush(nil)
            _exit(code)
        }

        // MARK: - Tests

        /// Fails the run if a trait had yet to do what it does after a suite's tests, and no later process will do it.
        private mutating func verifySuitesEnd() {
            let noted = entries.compactMap(\.self).filter { [.suite, .leftSuite].contains($0.state.stage) }
            let cutOff = noted.filter { events.isCutOff($0.test, isOpen: $0.state.stage == .suite) }
            let suites = Set(cutOff.map { "\($0.test)/" })
            if suites.isEmpty { return }
            let line = "\(suites.count.of("suite")) did not end, where a trait may have had more to check"
            events.fail("\(line): \(Self.names(suites))")
        }

        /// Finds the attempts with which the next process goes on.
        private mutating func takeAttempts() {
            for case let entry? in entries where entry.state.hasFailed && !events.isOver(entry.test) {
                events.fail("\(Self.name(entry.test)) failed just before the process ended", entry.test)
            }
            for case let entry? in entries.prefix(inherited) where !entry.state.isTaken {
                guard entry.state.stage != .passed, events.isOver(entry.test) else { continue }
                guard events.results[entry.test]?.failures.isEmpty == true else { continue }
                events.fail("\(Self.what(entry)), and its retry did not run", entry.test)
            }
            left = [:]
            for case let entry? in entries where entry.isToGoOn && !events.isOver(entry.test) { goOn(after: entry) }
        }

        /// Finds the test that ended a process, and what becomes of it.
        ///
        /// - Returns: `false` if it has to be found by running tests alone.
        private mutating func explain(_ ending: Death) -> Bool {
            let (started, running, crash) = (events.started, events.running, slots.crash)
            let isSignal = if case .ended(.signal) = ending { true } else { false }
            let signal = crash?.signal ?? 0
            let death = signal == 0 ? ending : .ended(.signal(signal))
            guard crash?.isOfSuite != true else { return explained("the process \(death) outside of its tests") }
            let noted = crash?.slot.flatMap { entries.indices.contains($0) ? entries[$0] : nil }
            let there = started.filter { crash?.isIn($0) == true }
            let named = noted?.test ?? (there.count == 1 ? there.first : nil)
            // The process did not end by what is noted: a test survived that signal, or another test ended the process while Swift
            // printed the backtrace. Nothing tells which one did.
            if let crash, !crash.mayHaveCaused(ending) {
                let line = "\(named.map(Self.name) ?? "a thread") \(death), and then the process \(ending)"
                return explained(line, named.flatMap { running.contains($0) ? $0 : nil })
            }
            let mayBeOfTest = named != nil || crash == nil && isSignal
            guard let test = named ?? (running.count == 1 ? running.first : nil) else {
                if !running.isEmpty { return suspect(running, death, mayBeOfTest: mayBeOfTest) }
                return explained("the process \(death) outside of its tests")
            }
            let line = "\(Self.name(test)) \(death)"
            guard running.contains(test), [nil, .running].contains(noted?.state.stage) else {
                return explained("\(line) when it had ended", test)
            }
            let own = entries.dropFirst(inherited).filter { $0?.state.stage == .running && $0?.test == test }
            // A crash of a known test, but of none of its attempts, is in a trait around those, or in a test that is not retried.
            var entry = noted ?? (named == nil && own.count == 1 ? own.first?.flatMap(\.self) : nil)
            // Damage to memory may be another test's, also one's that has ended. A trap and an exit are of the test in which they
            // happen, and a hang is of the only one that runs.
            let isExit = crash != nil && signal == 0
            let isHang = if case .hang = death { running == [test] && own.count == 1 } else { false }
            let isTrap = crash?.isSent == false && (signal == SIGILL || signal == SIGTRAP)
            let isCertain = isHang || named != nil && (isTrap || isExit)
            let isAlone = started.count == 1 && entries.dropFirst(inherited).count { $0?.test == test } == 1
            let isReal = events.isOver(test) || named != nil && entry?.sections.isEmpty != false
            // The cases that have passed do not run again, so that it may be alone then.
            let hasPassedCases = entries.dropFirst(inherited).contains {
                $0?.test == test && $0?.state.stage == .passed
            }
            guard isCertain || isAlone || isReal || searches.last?.left == [test] && !hasPassedCases else {
                return suspect([test], death, mayBeOfTest: mayBeOfTest)
            }
            if !isCertain, !isAlone { entry?.sections = [] }
            searches.removeAll {
                $0.death == death && $0.isExplained(by: entry, of: test, isOfTest: named != nil)
            }
            entry?.death = death
            guard let entry, !events.isOver(test) else { return explained(line, test) }
            let isFirst = died.insert(entry.key + ["\(entry.retryCount)"]).inserted
            guard isFirst else { return explained("\(line) again in the same attempt", test) }
            deaths.append(line)
            log("\(line); the tests that are left run in another process")
            goOn(after: entry)
            return true
        }

        private mutating func explained(_ line: String, _ test: String? = nil) -> Bool {
            let isNew = test.map { events.results[$0]?.failures.isEmpty != false } ?? false
            deaths.append(line)
            events.fail(line, test)
            return isNew
        }

        /// Has the next process resume after an attempt.
        private mutating func goOn(after entry: AttemptSlots.Entry) {
            if entry.testCase != nil { return left[entry.key] = entry }
            if entry.state.stage == .passed { return }  // it runs again
            events.fail("\(Self.what(entry)), and its case cannot be told apart from the others", entry.test)
        }

        /// Has tests run once more, one after the other.
        private mutating func suspect(_ tests: Set<String>, _ death: Death, mayBeOfTest: Bool) -> Bool {
            // After a flake, a test goes on with its retry.
            let attempts = entries.dropFirst(inherited).compactMap(\.self)
            let going = tests.filter { test in
                let own = attempts.filter { $0.test == test && [.running, .flaked].contains($0.state.stage) }
                return !own.isEmpty && own.allSatisfy { $0.flake != nil }
            }
            if case .hang = death {
                for var entry in attempts where entry.flake != nil && entry.state.stage == .running {
                    if events.isOver(entry.test) { continue }
                    entry.death = death
                    goOn(after: entry)
                }
            }
            deaths.append("\(Self.names(tests)) \(death)")
            let which = tests.count == 1 ? "it runs again, alone" : "they run again, one after the other"
            log("a process \(death) while \(Self.names(tests)) ran; \(which)")
            let inSection = attempts.filter { $0.state.stage == .running && $0.canHold(death) }.map(\.key)
            searches.append(
                Search(
                    death: death,
                    mayBeOfTest: mayBeOfTest,
                    tests: tests,
                    repeated: tests.subtracting(going),
                    inSection: Set(inSection),
                    left: tests
                )
            )
            return false
        }

        private static func what(_ entry: AttemptSlots.Entry) -> String {
            "\(name(entry.test)) \(entry.death.map { "\($0)" } ?? "flaked")"
        }

        private static func names(_ tests: some Sequence<String>) -> String { tests.map(name).sorted().firstFew }

        /// `Suite/test()` of `Module.Suite/test()/File.swift:12:4`.
        private static func name(_ test: String) -> String {
            let path = test.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            return path.split(separator: ".", maxSplits: 1).last.map(String.init) ?? test
        }
    }

    extension AttemptSlots.Entry {
        /// Identifies its test and case.
        fileprivate var key: [String] { [test, testCase ?? ""] }
    }
#endif
