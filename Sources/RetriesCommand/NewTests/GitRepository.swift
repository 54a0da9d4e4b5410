import Foundation
import Groundwork

/// The git repository around a package; all paths are relative to the package's folder.
struct GitRepository {
    let context: CommandContext
    private var folder: String { context.packageFolder ?? context.workingDirectory }

    /// The commit at which this branch left another, and a text such as `main (4f2c1ab)`.
    typealias Base = (commit: String, text: String)

    /// Returns where HEAD left the first of `names` that exists.
    func base(of names: [String]) throws -> Base {
        let (answer, isFine) = context.run(command(["rev-parse", "--is-shallow-repository"]), hasErrors: true)
        let isShallow = String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard isFine else {
            let reason = isShallow.isEmpty ? "it cannot be run" : isShallow.onOneLine
            throw Problem("git does not say which tests are new in \(folder): \(reason)")
        }
        for name in names {
            guard let line = output("merge-base", "--end-of-options", name, "HEAD") else { continue }
            let commit = line.trimmingCharacters(in: .newlines)
            return (commit, commit.hasPrefix(name) ? String(commit.prefix(7)) : "\(name) (\(commit.prefix(7)))")
        }
        let choice = names.joined(separator: " or ")
        if isShallow.hasPrefix("true") {
            let advice = "let CI fetch all of it, with fetch-depth: 0 (GitHub) or GIT_DEPTH: 0 (GitLab)"
            throw Problem("this clone is too shallow to say what is new since \(choice): \(advice)")
        }
        throw Problem("HEAD has no commit in common with \(choice), or there is none: name another with --since")
    }

    /// The files with tests that differ from a commit, also those that are not committed or not tracked.
    func changes(since base: Base) throws -> [FileChange] {
        guard let changed = output("diff", "--name-status", "-zM", "--relative", base.commit, "--", "*.swift"),
            let others = output("ls-files", "-zo", "--exclude-standard", "--", "*.swift")
        else { throw Problem("git cannot compare \(folder) with \(base.text)") }
        var pairs = others.split(separator: "\0").map { (old: $0, new: $0) }
        var rest = changed.split(separator: "\0")[...]
        while let status = rest.popFirst(), let old = rest.popFirst() {
            pairs.append((old, status.hasPrefix("R") ? rest.popFirst() ?? old : old))
        }
        return pairs.sorted { $0.new < $1.new }.map { old, new in
            FileChange(
                path: String(new),
                old: declarations(in: output("cat-file", "blob", "\(base.commit):./\(old)"), of: old),
                // A file that was deleted cannot be read.
                new: declarations(in: text(of: String(new)), of: new)
            )
        }
    }

    /// The text of a file of the package; `nil` if it cannot be read.
    func text(of path: String) -> String? { FilePath("\(folder)/\(path)").readText() }

    /// Returns none for a file that has nothing to do with tests, which saves its parsing. A file in a folder of tests has, though
    /// its code may name no test.
    private func declarations(in code: String?, of path: Substring) -> [SwiftDeclaration] {
        let words = ["test", "Test", "Spec"]
        guard let code, words.contains(where: { path.contains($0) || code.contains($0) }) else { return [] }
        return SwiftDeclarationParser.declarations(in: code)
    }

    private static let heir = LinePattern(#"\b(?:class (?:<[^{]*?> )?:|typealias \w+ =) (?:\w+ \. )*(\w+)"#)

    /// The classes that inherit from each of `types`, and from those, and so on. A type alias is one, too.
    func subclasses(of types: Set<String>) -> [String: [String]] {
        var heirs: [(name: String, base: String)] = [], files = Set<Substring>()
        let options = ["grep", "-lzwF", "--untracked", "--no-color", "--no-full-name"]
        var (all, new) = (types, types)
        while !new.isEmpty {
            let names = new.sorted().flatMap { ["-e", $0] }
            let paths = output(options + names + ["--", "*.swift"]) ?? ""
            for path in paths.split(separator: "\0") where files.insert(path).inserted {
                for declaration in SwiftDeclarationParser.declarations(in: text(of: String(path)) ?? "") {
                    let base = Self.heir.groups(in: declaration.code.unquoted).first?[0]
                    if let base, let name = declaration.names.first { heirs.append((name, base)) }
                }
            }
            new = Set(heirs.filter { all.contains($0.base) }.map(\.name)).subtracting(all)
            all.formUnion(new)
        }
        return Dictionary(grouping: heirs, by: \.base).mapValues { $0.map(\.name) }
    }

    /// The path of the folder in the repository, empty or with a slash at its end.
    var prefix: String { output("rev-parse", "--show-prefix")?.trimmingCharacters(in: .newlines) ?? "" }

    /// In a container, the repository may be another user's, which git refuses. Its tests are about to run here, anyway.
    private func command(_ arguments: [String]) -> [String] {
        ["git", "-c", "safe.directory=*", "-c", "submodule.recurse=false", "-C", folder] + arguments
    }

    /// The output of a git command; `nil` if it failed.
    private func output(_ arguments: String...) -> String? { output(arguments) }

    private func output(_ arguments: [String]) -> String? {
        let (output, isFine) = context.run(command(arguments))
        return isFine ? String(decoding: output, as: UTF8.self) : nil
    }
}

extension CommandContext {
    /// Runs a program to its end, in the folder of this process; if `hasErrors`, the output has what it writes as errors.
    func run(_ command: [String], hasErrors: Bool = false) -> (output: [UInt8], isFine: Bool) {
        // Not by Foundation's `Process`, whose `run()` crashes now and then on Linux, up to Swift 6.4.
        let run = try? Descriptor.withFile(at: "/dev/null", O_RDWR) { (null) throws(SystemError) in
            let output = try Descriptor.unnamed()
            defer { close(output.number) }
            let streams = [null, output, hasErrors ? output : null].map(\.number)
            let child = try ChildProcess(command, environment: environment, streams: streams, leadsSession: false)
            let isFine = try child.waitForEnd {} == .exitCode(0)
            lseek(output.number, 0, SEEK_SET)
            return (output: try output.readAll(), isFine: isFine)
        }
        // An error means that there is no such program.
        return run ?? ([], false)
    }
}
