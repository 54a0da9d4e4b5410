import Retryable
import Testing

// Runs a test of XCTest that its argument names; or else the tests of this folder as SwiftPM does, by the same function, with the
// arguments of `swift test`.
if let test = FirstTest.entries[CommandLine.arguments.last ?? ""] {
    exit(XCTMain([test], arguments: ["tests"]) as CInt)
}
await __swiftPMEntryPoint() as Never
