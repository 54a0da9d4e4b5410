import RetryReport

extension SwiftPMFile {
    /// Reads a file, and the one of Swift Testing that stands beside it: one run of both frameworks has two, and whoever
    /// names the one means the run.
    init(named name: String, in context: CommandContext) throws(ReportFileError) {
        let input = InputFile(name: name, path: context.absolute(name))
        self.init(
            name: name,
            bytes: try input.bytes(in: context),
            writtenAt: input.path.flatMap(FileKind.modificationDate)
        )
        let other = Self.swiftTestingPath(beside: name)
        let file = InputFile(name: other, path: context.absolute(other))
        guard !file.isMissing else { return }
        self = joined(with: SwiftPMFile(name: other, bytes: try file.bytes(in: context)))
    }

    /// Where SwiftPM puts the results of Swift Testing, if it puts those of XCTest at `path`.
    static func swiftTestingPath(beside path: String) -> String {
        let name = path.hasSuffix(".xml") ? String(path.dropLast(4)) : path
        return "\(name)-swift-testing.xml"
    }

    /// The suites of this file and of another one, as one file.
    func joined(with other: SwiftPMFile) -> SwiftPMFile {
        let end = Array("</testsuites>".utf8)
        guard let insertion = bytes.lastRange(of: end), let suites = other.suites(endingWith: end) else { return self }
        var bytes = bytes
        bytes.insert(contentsOf: suites, at: insertion)
        return SwiftPMFile(name: name, bytes: bytes, writtenAt: writtenAt)
    }

    /// What stands between `<testsuites>` and its end.
    private func suites(endingWith end: [UInt8]) -> ArraySlice<UInt8>? {
        guard let opening = bytes.firstRange(of: Array("<testsuites".utf8)),
            let start = bytes[opening...].firstIndex(of: UInt8(ascii: ">")),
            let closing = bytes.lastRange(of: end), start < closing
        else { return nil }
        return bytes[(start + 1)..<closing].drop { $0 == UInt8(ascii: "\n") }
    }
}

extension [UInt8] {
    fileprivate func firstRange(of part: [UInt8]) -> Int? {
        indices.dropLast(part.count - 1).first { self[$0...].starts(with: part) }
    }

    fileprivate func lastRange(of part: [UInt8]) -> Int? {
        indices.dropLast(part.count - 1).last { self[$0...].starts(with: part) }
    }
}
