import Testing

// Runs tests as SwiftPM does, by the same function, with the arguments of `swift test`: TestingScenarios --filter TEST
await __swiftPMEntryPoint() as Never
