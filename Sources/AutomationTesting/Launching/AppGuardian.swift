#if os(macOS) || os(Linux)
    import AppAutomation
    import Foundation
    import Groundwork

    /// Makes a directory for an app and, at the latest when the test dies, removes it and ends what the app left running.
    ///
    /// It is a process of its own, because the test's may crash; and a shell, because every system has one. It takes orders
    /// on a socket that only the test's process can write to. The system closes that socket however the process ends, even
    /// by a crash or by SIGKILL, after which no code of ours can run.
    ///
    /// Killing the app's group does not reach all that the app started: Foundation's `Process` gives every child a group of
    /// its own. On Linux they are found by their session, which is the app's unless they left it, and by their environment,
    /// which names the launch unless they were given another. Other systems do not show either.
    final class AppGuardian: Sendable {
        /// A variable for the app's environment. Nothing in its value is special to a shell or in a pattern.
        let tag: (name: String, value: String) = ("APP_AUTOMATION_LAUNCH", UUID().uuidString)
        /// The app's own, which nobody else may enter.
        let directory: URL
        private let shell: ChildProcess
        private let orders: CInt

        /// The fields of `stat` are `1234 (any name) state parent group session …`. A process that is killed may have started
        /// another one after it was listed, so there are rounds until nothing is left; one that cannot be killed, waiting for
        /// a disk, is no reason to go on for ever. In the end, the directory's permissions are mended if they are in the way.
        private static let script = """
            trap '' PIPE
            directory=$1 tag=$2 app=none
            left() {
                grep -l -- "$tag" /proc/[0-9]*/environ
                [ "$app" = none ] || grep -l -- ") [^Z] [0-9]* [0-9]* $app [^)]*\\$" /proc/[0-9]*/stat
            }
            sweep() {
                [ "$app" = none ] || kill -s KILL -- "-$app"
                round=0
                while [ $((round += 1)) -le 200 ]; do
                    files=$(left)
                    [ -n "$files" ] || break
                    for file in $files; do
                        process=${file#/proc/}
                        kill -s KILL "${process%/*}"
                    done
                done
            }
            while read -r order; do
                case $order in
                sweep) sweep; app=none; echo swept ;;
                *) app=$order ;;
                esac
            done
            sweep
            rm -rf -- "$directory" && exit
            chmod -R u+rwX -- "$directory"
            rm -rf -- "$directory" 2>&1
            """

        init() throws {
            directory = try Descriptors.temporaryDirectory()
            let (theirs, ours) = try Descriptors.socketPair()
            let null = Descriptors.null()
            defer { Descriptors.close(theirs, null) }
            do {
                shell = try ChildProcess.launch(
                    "/bin/sh",
                    ["-c", Self.script, "sh", directory.path, "\(tag.name)=\(tag.value)"],
                    environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"],
                    streams: [theirs, theirs, null]
                )
            } catch {
                Descriptors.close(ours)
                rmdir(directory.path)
                throw error
            }
            orders = ours
        }

        /// Has this app's group and session killed as well.
        func watch(_ app: ChildProcess) {
            order("\(app.identifier)")
        }

        /// Kills what is left of the app, and returns when nothing of it is alive. From then on the app's number is not
        /// looked for, because the system may give it to another process.
        func sweep() {
            if order("sweep") { _ = UnixSocket.read(orders) }
        }

        /// Ends what is left and removes the directory.
        ///
        /// What cannot be removed is named on standard error and fails no test: the test itself has passed or failed.
        func finish() {
            shutdown(orders, CInt(SHUT_WR))
            var answer: [UInt8] = []
            while let bytes = UnixSocket.read(orders) { answer += bytes }
            Descriptors.close(orders)
            _ = shell.waitForEndOfGroup()
            guard !answer.isEmpty else { return }
            let problem = String(decoding: answer.prefix(500), as: UTF8.self).trimmingCharacters(in: .newlines)
            writeToStandardError("AutomationTesting: \(directory.path) is left: \(problem)")
        }

        /// - Returns: Whether the shell is there to take it.
        @discardableResult
        private func order(_ order: String) -> Bool {
            let line = Array("\(order)\n".utf8)
            return UnixSocket.send(line, to: orders) == line.count
        }
    }
#endif
