import RetryReport

extension Surroundings {
    /// Reads the reports that `names` name as one; without names, the one that is there, and says which that is.
    func report(of names: [String]) throws -> Report {
        let search = ReportSearch(surroundings: self)
        guard names.isEmpty else { return try merged(search.files(named: names)) }
        let files = try search.defaultFiles()
        say("reading \(files.map(\.name).joined(separator: ", "))")
        return try merged(files)
    }

    private func merged(_ files: [InputFile]) throws -> Report {
        Report(merging: try files.map { try $0.report(in: self) })
    }

    /// Writes to `output`; to standard output if that is `nil` or `-`.
    func write(_ bytes: [UInt8], to output: String?) throws {
        if let output, output != "-" {
            return try OutputFile(name: output, path: absolute(output)).write(bytes)
        }
        do {
            try standardOutput(bytes)
        } catch {
            throw OutputFile.Trouble(description: "standard output cannot be written: \(error)")
        }
    }
}
