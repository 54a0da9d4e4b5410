/// The name of a test in the report.
package struct TestName: Hashable, Sendable {
    /// `-[Class test]` for XCTest, `Suite/test()` for Swift Testing.
    package var name: String
    /// Two tests of one name in two modules are two tests.
    package var module: String

    package init(_ name: String, module: String) {
        self.name = name
        self.module = module
    }
}
