import Foundation
import Groundwork

extension Report {
    /// The report as the text of a file; the same report is always the same bytes.
    package func json() throws -> [UInt8] {
        try ReportText(self).bytes
    }

    /// Reads the text of a file: today's, version 0.6.0's, or one of a later version, whose unknown keys are ignored.
    package init(json: [UInt8]) throws(UnreadableReport) {
        do {
            self = try JSONDecoder.ofReports.decode(Report.self, from: Data(json))
        } catch {
            throw UnreadableReport(error, in: json)
        }
    }

    /// Reads a report from a file; an error names the file, the key and what was expected.
    package init(contentsOf url: URL) throws(ReportFileError) {
        do {
            let read = { (file: Descriptor) throws(SystemError) in try file.readAll() }
            self = try Report(json: Descriptor.withFile(at: url.path, O_RDONLY, read))
        } catch {
            throw ReportFileError(path: url.path, cause: "cannot be read: \(error)")
        }
    }
}

extension JSONDecoder {
    /// Reads reports and their records.
    static let ofReports: JSONDecoder = {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = Timestamp.date(text) else {
                let problem = "is \"\(text)\", not a time such as 2026-03-01T09:30:00.250Z"
                throw DecodingError.dataCorruptedError(in: container, debugDescription: problem)
            }
            return date
        }
        return decoder
    }()
}

extension JSONEncoder {
    /// Writes a record of a report on one line.
    static let ofReports: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Timestamp.text(date))
        }
        return encoder
    }()

    func text(of value: some Encodable) throws -> String {
        String(decoding: try encode(value), as: UTF8.self)
    }

    /// The same for text. Most needs no encoder, whose first use takes longer than all else in a process where nothing
    /// flaked.
    func text(of string: String) throws -> String {
        let isPlain = string.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        return isPlain ? "\"\(string)\"" : String(decoding: try encode(string), as: UTF8.self)
    }
}
