#if os(macOS) || os(Linux)
    import AppAutomation
    import Foundation

    /// A shell that outlives the test, should the test die: then it kills the app's group and removes the app's directory.
    ///
    /// It is a shell because it must not be the test's program, of which nothing can be said after a crash. It waits for the
    /// end of a socket that only the test's process can write to. The system closes it however that process ends, be it by
    /// a crash or by SIGKILL, when no code of ours can run any more.
    final class Guardian: Sendable {
        private let shell: ChildProcess
        private let input: CInt

        private static let script = """
            app=none
            while read -r line; do app=$line; done
            [ "$app" = none ] || kill -s KILL -- "-$app"
            left() {
                grep -l -- "$2=$1" /proc/[0-9]*/environ
                for file in /proc/[0-9]*/stat; do
                    read -r line < "$file" || continue
                    set -- ${line##*) }
                    [ "$4" = "$app" ] && [ "$1" != Z ] && echo "$file"
                done
            }
            for round in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
                files=$(left "$1" "$2")
                [ -n "$files" ] || break
                for file in $files; do
                    process=${file#/proc/}
                    kill -s KILL "${process%/*}"
                done
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

        /// Has this app's group and session killed as well.
        func watch(_ app: ChildProcess) {
            _ = UnixSocket.send("\(app.identifier)\n", to: input)
        }

        /// No longer has them killed: they have ended, and their number may become another's.
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
