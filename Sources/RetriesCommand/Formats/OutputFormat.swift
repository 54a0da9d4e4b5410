import Foundation
import RetryReport

/// The formats in which a command can show its result; the first is the default.
protocol OutputFormat: CaseIterable, RawRepresentable<String> {
    /// The reader or the tool that it is for.
    var purpose: String { get }
}

extension OutputFormat {
    static var option: Syntax.Option {
        ("--format FORMAT", Syntax.table(allCases.map { ($0.rawValue, $0.purpose) }))
    }

    static var outputOption: Syntax.Option {
        ("--output FILE", "Write to this file, whole or not at all, instead of standard output.")
    }
}

/// JSON for other tools: the same value is always the same bytes.
enum JSONText {
    static func bytes(of value: some Encodable) throws -> [UInt8] {
        [UInt8](try JSONEncoder.stable(.prettyPrinted).encode(value)) + "\n".utf8
    }
}
