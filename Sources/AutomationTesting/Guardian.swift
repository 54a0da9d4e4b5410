#if os(macOS) || os(Linux)
    import AppAutomation
    import Foundation

    /// A shell that outlives the test, should the test die: then it kills the app's group and removes the app's directory.
    ///
    /// It is a shell because it must not be the test's program, of which nothing can be said after a crash. It waits for the end of a pipe that only the test's process can write to. The system closes it however that process
    /// ends, be it by a crash or by SIGKILL, when no code of ours can run any more.
    final class Guardian: Sendable {
        private let shell: ChildProcess
        private let input: CInt

        private static let script = """
            group=none
            while read -r line; do group=$line; done
            [ "$group" = none ] || kill -s KILL -- "-$group"
            for file in $(grep -l -- "$2=$1" /proc/[0-9]*/environ); do
                process=${file#/proc/}
                kill -s KILL "${process%/environ}"
            done
            rm -rf -- "$1"
            """

        init(removing directory: URL) throws {
            let (theirs, ours) = try Descriptors.socketPair()
            let null = Descriptors.null()
            defer { Descriptors.close(theirs, null) }
            do {
                shell = try ChildProcess(
                    "/bin/sh",
                    ["-c", Self.script, "sh", directory.path, Leftovers.variable],
                    environment: ["PATH": "/usr/bin:/bin"],
                    streams: [theirs, null, null]
                )
            } catch {
                Descriptors.close(ours)
                throw error
            }
            input = ours
        }

        /// Has this process group killed as well.
        func watch(_ app: ChildProcess) {
            _ = UnixSocket.send("\(app.identifier)\n", to: input)
        }

        /// No longer has a group killed: it has ended, and its number may become another's.
        func forgetApp() {
            _ = UnixSocket.send("none\n", to: input)
        }

        /// Nothing is left to guard.
        func dismiss() {
            shell.kill()
            _ = shell.waitForEnd()
            Descriptors.close(input)
        }
    }
#endif
