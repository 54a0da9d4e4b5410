// Runs one scenario: XCTestScenarios SCENARIO [SELECTED TESTS]
let arguments = Array(CommandLine.arguments.dropFirst())
Scenario.run(arguments.first ?? "", selected: arguments.dropFirst().first)
