/// The shapes in which a command can show something; the first is the usual one.
protocol OutputFormat: CaseIterable, RawRepresentable<String> {
    /// For whom or what it is.
    var purpose: String { get }
}

extension Command {
    /// The option that says where it goes.
    static var outputOption: Syntax.Option {
        .init("--output FILE", "Where it goes, whole or not at all; else standard output.")
    }
}

extension OutputFormat {
    /// The option that asks for a shape.
    static var option: Syntax.Option {
        let lines = allCases.map { format in
            let gap = String(repeating: " ", count: 10 - format.rawValue.count)
            return "\(format.rawValue)\(gap)\(format.purpose)"
        }
        return Syntax.Option("--format FORMAT", lines.joined(separator: "\n"))
    }

    /// The shape that is asked for; `nil` if none is.
    init?(_ arguments: Arguments) throws(Problem) {
        let formats = try arguments.words(Self.option.name, of: Self.self)
        guard formats.count < 2 else { throw Problem("--format is one format, not \(formats.count)") }
        guard let format = formats.first else { return nil }
        self = format
    }
}
