import Dispatch
import Foundation
import Testing

/// Runs the tests of one program with XCTest; or, without its name, Swift Testing's, with the arguments of `swift test`.
@main
enum Main {
    /// Not asynchronous: the main thread of `swift test` is in no task while it runs XCTest.
    static func main() {
        ProgramRun.run(CommandLine.arguments.dropFirst().first ?? "")
        Task {
            // A main of its own, to which Swift Testing returns.
            if getenv("OWN_MAIN") != nil { exit(await __swiftPMEntryPoint() as CInt) }
            await __swiftPMEntryPoint() as Never
        }
        dispatchMain()
    }
}
