/// The arguments after the name of a command.
struct Arguments {
    let syntax: Syntax
    private(set) var files: [String] = []
    /// The command after `--`, for a command that runs another.
    private(set) var command: [String] = []
    private(set) var wantsHelp = false
    private var values: [String: String] = [:]

    /// Reads `--name value` and `--name=value`; `--` ends the options; every other argument is a file, `-` as well, or the
    /// name of a test, such as `-[Class test]`. `help` as the first argument asks for help.
    init(_ arguments: some Sequence<String>, syntax: Syntax) throws {
        self.syntax = syntax
        var rest = Array(arguments)[...]
        if rest.first == "help" {
            wantsHelp = true
            rest.removeFirst()
        }
        while let argument = rest.popFirst() {
            if argument == "--" {
                if syntax.endsWithCommand { command += rest } else { files += rest }
                return
            } else if argument == "--help" || argument == "-h" {
                wantsHelp = true
            } else if argument == "-" || !argument.hasPrefix("-") || argument.hasPrefix("-[") {
                files.append(argument)
            } else {
                try add(argument, rest: &rest)
            }
        }
    }

    private mutating func add(_ argument: String, rest: inout ArraySlice<String>) throws {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0]
        let names = syntax.options.map { String($0.form.prefix { $0 != " " }) }
        guard let form = names.firstIndex(of: name).map({ syntax.options[$0].form }) else {
            let known = names + ["--help"]
            throw Problem.unknown("option", name, known: known, see: "retries \(syntax.name) --help shows all")
        }
        guard form != name else {
            guard parts.count == 1 else { throw Problem("\(name) takes no value") }
            values[name] = ""
            return
        }
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
            throw Problem("\(name) needs a value: \(form)")
        }
        guard values.updateValue(value, forKey: name) == nil else { throw Problem("\(name) is given twice") }
    }

    /// Returns the command after `--`; throws if there is none, or if more than `most` files precede it.
    func commandToRun(after most: Int) throws -> [String] {
        guard files.count <= most, !command.isEmpty else {
            throw Problem("\(syntax.name) needs a command to run, after -- (\(syntax.usage))")
        }
        return command
    }

    func has(_ option: String) -> Bool { values[option] != nil }

    func text(_ option: String) throws -> String? {
        guard let value = values[option] else { return nil }
        guard !value.isEmpty else { throw Problem("\(option) is empty") }
        return value
    }

    func count(_ option: String, from least: Int = 0) throws -> Int? {
        try value(option, "a whole number from \(least) up") { text in Int(text).flatMap { $0 < least ? nil : $0 } }
    }

    /// A duration in seconds, more than none.
    func duration(_ option: String) throws -> Double? {
        try value(option, "a duration such as 90s, 30m, 2h or 1d") { text in
            Durations.seconds(text).flatMap { $0 > 0 ? $0 : nil }
        }
    }

    private func value<Value>(_ option: String, _ kind: String, _ read: (String) -> Value?) throws -> Value? {
        guard let text = values[option] else { return nil }
        guard let value = read(text) else { throw Problem("\(option) is \"\(text)\", not \(kind)") }
        return value
    }

    func choice<Choice: CaseIterable & RawRepresentable<String>>(_ option: String) throws -> Choice? {
        let choices: [Choice] = try choices(option)
        guard choices.count < 2 else { throw Problem("\(option) takes one value, not \(choices.count)") }
        return choices.first
    }

    /// The choices of an option, separated by commas.
    func choices<Choice: CaseIterable & RawRepresentable<String>>(_ option: String) throws -> [Choice] {
        try (values[option]?.split(separator: ",", omittingEmptySubsequences: false) ?? []).map { value in
            if let choice = Choice(rawValue: String(value)) { return choice }
            let known = Choice.allCases.map(\.rawValue)
            let suggestion = String(value).suggestion(from: known)
            throw Problem("\(option) is \"\(value)\", not one of \(known.joined(separator: ", "))\(suggestion)")
        }
    }
}
