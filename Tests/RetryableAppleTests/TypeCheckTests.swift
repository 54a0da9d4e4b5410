import Foundation
import Testing

/// That the check against the double of Apple's XCTest can fail.
@Suite("The check of Apple's branches", .serialized)
struct TypeCheckTests {
    @Test(
        "what Apple's XCTest does not have, and an override that does not say so, is an error",
        arguments: [
            ("UnknownDeclaration", "cannot find type 'XCTestCaseClosure' in scope"),
            ("MissingOverride", "overriding declaration requires an 'override' keyword"),
            ("MissingMember", "cannot find 'recordFailure' in scope"),
        ]
    )
    func plant(name: String, message: String) throws {
        let outcome = try check(plant: name)
        #expect(outcome.exitCode != 0)
        let errors = outcome.errorOutput.filter {
            $0.hasPrefix("Fixtures/AppleXCTest/Plants") && $0.contains("error: ")
        }
        #expect(errors.count == 1, "\(outcome)")
        #expect(errors.first?.hasSuffix("error: \(message)") == true, "\(outcome)")
    }

    @Test("a source that is right is none")
    func nothing() throws {
        let outcome = try check(plant: "Nothing")
        #expect(outcome.exitCode == 0, "\(outcome)")
        #expect(outcome.output.last == "Swift 6: Retryable checked")
    }

    private func check(plant: String) throws -> Outcome {
        try typecheck(
            ["--with", "Fixtures/AppleXCTest/Plants/\(plant).swift"],
            folder: Checkout.buildFolder.appendingPathComponent("plants")
        )
    }
}
