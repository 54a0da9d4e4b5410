import Testing

// Runs the tests of this folder as SwiftPM does, by the same function, with the arguments of `swift test`.
await __swiftPMEntryPoint() as Never
