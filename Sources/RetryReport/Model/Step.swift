/// One step (`autoRetry`) that did not succeed at once.
package struct Step: Hashable, Codable, Sendable {
    /// The name of the test that the step ran in.
    package var test: String
    package var module: String?
    /// What the step does, in its author's words.
    package var action: String
    package var file: String?
    package var line: Int?
    /// How often it was tried again.
    @ReportCount package var retries: Int
    package var succeeded: Bool
    /// All tries together.
    @ReportSeconds package var duration: Double
    /// The process of the run that wrote this.
    package var process: String?

    package init(
        test: String,
        module: String?,
        action: String,
        file: String?,
        line: Int?,
        retries: Int,
        succeeded: Bool,
        duration: Double
    ) {
        self.test = test
        self.module = module
        self.action = action
        self.file = file
        self.line = line
        self.retries = retries
        self.succeeded = succeeded
        self.duration = duration
    }
}
