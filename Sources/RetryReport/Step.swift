/// One step (`autoRetry`) that did not succeed at once.
package struct Step: Hashable, Codable, Sendable, Located {
    /// The name of the test that the step ran in.
    package var test: String
    package var module: String?
    /// The purpose of the step, in its author's words.
    package var action: String
    package var file: String?
    package var line: Int?
    /// The tries after the first.
    package var retries: Int
    package var succeeded: Bool
    /// The time that all tries took together.
    package var duration: Double
    /// The process of the run that wrote this.
    package var process: String?
}

extension Step {
    package init(test: String, action: String, retries: Int, succeeded: Bool, duration: Double) {
        self.test = test
        self.action = action
        self.retries = retries
        self.succeeded = succeeded
        self.duration = duration.roundedForReport
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        test = try values.decode(String.self, forKey: .test)
        action = try values.decode(String.self, forKey: .action)
        succeeded = try values.decode(Bool.self, forKey: .succeeded)
        (retries, duration) = (try values.count(.retries), try values.number(.duration))
        (module, process) = (try values.optional(.module), try values.optional(.process))
        (file, line) = (try values.optional(.file), try values.optional(.line))
    }
}
