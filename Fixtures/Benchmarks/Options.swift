/// What the program is asked to do.
struct Options {
    var rounds = 9
    var asJSON = false
    var checks = false
    var chart: String?
    /// What the name of a part has in it that is measured; all are if `nil`.
    var only: String?
    var measures = true
    var help: String?

    /// What is wrong with the arguments.
    struct Mistake: Error, CustomStringConvertible {
        var description: String
    }

    init(_ arguments: [String]) throws(Mistake) {
        var rest = arguments[...]
        func value(of option: String) throws(Mistake) -> String {
            guard let value = rest.popFirst() else { throw Mistake(description: "\(option) needs a value") }
            return value
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": asJSON = true
            case "--check": checks = true
            case "--simulation": measures = false
            case "--chart": chart = try value(of: argument)
            case "--only": only = try value(of: argument)
            case "--rounds":
                let text = try value(of: argument)
                guard let count = Int(text), count >= 9 else {
                    throw Mistake(description: "--rounds is \"\(text)\"; allowed is 9 or more")
                }
                rounds = count
            case "--help": help = Self.usage
            default: throw Mistake(description: "\"\(argument)\" is not an option\n\(Self.usage)")
            }
        }
    }

    static let usage = """
        usage: benchmarks [--check] [--json] [--rounds N] [--only WORD] [--simulation] [--chart FILE]

          --check        exit with 1 if a mark is missed, and name each
          --json         print for machines
          --rounds N     how often each thing is measured; 9, and no fewer
          --only WORD    measure only what WORD names, such as flakes or reading
          --simulation   simulate only, measure nothing
          --chart FILE   write the chart of the simulation (SVG)
        """
}
