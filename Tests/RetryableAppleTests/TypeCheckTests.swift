import Foundation
import Testing

/// That the check against the double of Apple's XCTest can fail.
@Suite("The check of Apple's branches", .enabled(if: AppleCheckout.needsDouble))
struct TypeCheckTests {
    @Test("what Apple's XCTest does not have, and an override that does not say so, is an error; nothing else is")
    func plants() throws {
        let plants = [
            ("UnknownDeclaration", "cannot find type 'XCTestCaseClosure' in scope"),
            ("Nothing", nil),
            ("MissingOverride", "overriding declaration requires an 'override' keyword"),
            ("MissingMember", "cannot find 'recordFailure' in scope"),
        ]
        let outcome = try typecheck(["--with"] + plants.map { path($0.0) })
        #expect(outcome.exitCode == 1)
        #expect(outcome.output == plants.map { "\(path($0.0)) is \($0.1 == nil ? "right" : "wrong")" }, "\(outcome)")
        let errors = outcome.errorOutput.filter {
            $0.hasPrefix("Fixtures/AppleXCTest/Plants") && $0.contains(": error: ")
        }
        #expect(errors.map(message) == plants.compactMap(\.1), "\(outcome)")
    }

    private func path(_ plant: String) -> String { "Fixtures/AppleXCTest/Plants/\(plant).swift" }

    private func message(_ line: String) -> String {
        line.range(of: ": error: ").map { String(line[$0.upperBound...]) } ?? line
    }
}
