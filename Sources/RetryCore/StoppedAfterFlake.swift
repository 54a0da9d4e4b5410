/// Thrown by `flaky` to end a test that has flaked and should stop at its first failure.
package struct StoppedAfterFlake: Error, CustomStringConvertible {
    package init() {}

    package var description: String { "the test has flaked and continueAfterFailure is false" }
}
