import Foundation
import Groundwork
import RetryReport

/// The owners of files, as the host of the repository reads them from `CODEOWNERS`.
///
/// On GitHub, the last line that matches a file counts. On GitLab, the last of each section does, and sections add up.
final class CodeOwners {
    /// The folder of the repository.
    let root: String
    /// The file's path in the repository.
    let file: String
    private var lines: [Line] = []
    /// The lines to try for a path, by their patterns' keys.
    private var candidates: [String: [Int]] = [:]
    private var known: [String: [String]] = [:]

    private struct Line {
        let pattern: PathPattern
        let section: String
        /// `nil` if the line excludes its files from the section.
        let owners: [String]?
    }

    convenience init?(in root: String, environment: [String: String]) {
        func has(_ name: String) -> Bool { FilePath("\(root)/\(name)").kind != nil }
        let looksLikeGitLab = !has(".github") && (has(".gitlab") || has(".gitlab-ci.yml"))
        let isGitLab = environment["GITHUB_ACTIONS"] == nil && (environment["GITLAB_CI"] != nil || looksLikeGitLab)
        let places = isGitLab ? ["", "docs/", ".gitlab/"] : [".github/", "", "docs/"]
        let files = places.lazy.map { "\($0)CODEOWNERS" }
        guard let file = files.first(where: { FilePath("\(root)/\($0)").kind == S_IFREG }),
            let text = FilePath("\(root)/\(file)").readText()
        else { return nil }
        self.init(text, at: file, in: root, isGitLab: isGitLab)
    }

    init(_ text: String, at file: String = "CODEOWNERS", in root: String = "/", isGitLab: Bool = false) {
        (self.root, self.file) = (root, file)
        var (section, defaults): (String, [String]) = ("", [])
        let content = text.drop { $0 == "\u{FEFF}" }  // editors on Windows begin a file so
        // A space after a backslash separates no words.
        for line in content.replacingOccurrences(of: "\\ ", with: "\0").utf8.split(separator: 10) {
            let words = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }.map { String(Substring($0)) }
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            if isGitLab, let heading = Self.heading.groups(in: words.joined(separator: " ")).first {
                section = heading[0].lowercased()
                defaults = Self.owners(in: heading[1].components(separatedBy: " "))
                continue
            }
            let isExclusion = first.hasPrefix("!")
            let rest = words.dropFirst().prefix { isGitLab || !$0.hasPrefix("#") }
            let owners = Self.owners(in: rest)
            // GitHub skips a line with a mistake: a negation, a range of characters, or an owner that is none.
            guard isGitLab || !isExclusion && !first.contains("[") && owners.count == rest.count else { continue }
            let path = first.dropFirst(isExclusion ? 1 : 0).replacingOccurrences(of: "\0", with: " ")
            let pattern = PathPattern(path, isGitLab: isGitLab)
            candidates[pattern.key, default: []].append(lines.count)
            let given = owners.isEmpty ? defaults : owners
            lines.append(Line(pattern: pattern, section: section, owners: isExclusion ? nil : given))
        }
    }

    /// A section's heading on GitLab, such as `^[Documentation][2] @docs-team`.
    private static let heading = LinePattern(#"\A\^?\[([^\]]+)\](.*)"#)

    private static func owners(in words: some Sequence<String>) -> [String] {
        words.filter { $0.utf8.count > 1 && $0.utf8.contains(0x40) }
    }

    /// All owners that the file names.
    var all: Set<String> { Set(lines.compactMap(\.owners).joined()) }

    /// The owners of a file, given by its path in the repository.
    func owners(of path: String) -> [String] {
        if let known = known[path] { return known }
        let names = path.split(separator: "/").map(String.init)
        let endings = names.flatMap { name in name.indices.filter { name[$0] == "." }.map { "*\(name[$0...])" } }
        let folders = names.indices.map { names[...$0].joined(separator: "/") }
        let keys = Set(folders + (names + endings + [""]).map { "**/\($0)" })
        let matches = keys.flatMap { candidates[$0] ?? [] }.sorted().map { lines[$0] }
            .filter { $0.pattern.matches(names[...]) }
        // The last line of each section counts; on GitHub, all are of one.
        let sections = Dictionary(grouping: matches.indices) { matches[$0].section }.values
            .filter { !$0.contains { matches[$0].owners == nil } }
        let owners = sections.compactMap(\.last).sorted().flatMap { matches[$0].owners ?? [] }
            .reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        known[path] = owners
        return owners
    }
}

/// The owners of what reports hold, and the one that a command is asked about.
struct Ownership {
    static let option = (
        form: "--owner OWNER",
        help: "Only what CODEOWNERS says is of this owner, such as @org/team; none: what has no owner."
    )

    private let owners: CodeOwners?
    /// In lower case, because GitHub and GitLab do not tell it apart in names.
    private let only: String?

    init(_ arguments: Arguments, in context: CommandContext) throws {
        let root = context.repositoryFolder ?? context.workingDirectory
        owners = CodeOwners(in: root, environment: context.environment)
        let owner = try arguments.text("--owner")
        only = owner?.lowercased()
        // A check of an owner who owns nothing by mistake would always pass.
        guard let owner, let only, only != "none" || owners == nil else { return }
        guard let owners else { throw Problem("--owner needs a CODEOWNERS, and \(root) has none where its host looks") }
        let known = owners.all.sorted()
        guard known.contains(where: { $0.lowercased() == only }) else {
            throw Problem.unknown("owner", owner, known: known, see: "\(owners.file) names all")
        }
    }

    /// Returns the report with the owners of its tests and marks, and without those of other owners.
    func assigned(to report: Report) -> Report {
        guard let owners else { return report }
        // `nil` for what lies outside of the repository, such as in another checkout of it: it may be anybody's.
        func find(_ file: String?) -> [String]? {
            guard let file, !file.isEmpty else { return [] }
            let rooted = (report.run?.origin ?? .unknown).rooted(file)
            let path = FilePath(rooted).relative(to: owners.root)
            return path.hasPrefix("/") ? nil : owners.owners(of: path)
        }
        func isAsked(_ file: String?) -> Bool {
            guard let only, let owners = find(file) else { return true }
            return only == "none" ? owners.isEmpty : owners.contains { $0.lowercased() == only }
        }
        var report = report
        for index in report.tests.indices { report.tests[index].owners = find(report.tests[index].file) ?? [] }
        for (index, mark) in (report.marks ?? []).enumerated() { report.marks?[index].owners = find(mark.file) ?? [] }
        report.tests.removeAll { !isAsked($0.file) }
        report.marks?.removeAll { !isAsked($0.file) }
        report.steps.removeAll { !isAsked($0.file) }
        return report
    }
}

/// A path of `CODEOWNERS`, which may have wildcards.
private struct PathPattern {
    /// The names of folders and of the file; `**` stands for any number of folders.
    private var parts: [String]
    /// Whether what lies under a match matches, too.
    private let includesContent: Bool

    init(_ pattern: String, isGitLab: Bool) {
        parts = pattern.utf8.split(separator: 0x2F, omittingEmptySubsequences: false).map { String(Substring($0)) }
        let isRooted = parts.first == ""
        if isRooted { parts.removeFirst() }
        let isFolder = parts.count > 1 && parts.last == ""
        if isFolder { parts[parts.count - 1] = "**" }
        // A pattern without a slash in front is for any folder; on GitHub, not if it has one in its middle.
        if !isRooted, isGitLab || parts.count - (isFolder ? 1 : 0) == 1 { parts.insert("**", at: 0) }
        // GitLab's `**` is only for folders if a slash follows it.
        if isGitLab, !isFolder, parts.last == "**" { parts[parts.count - 1] = "*" }
        includesContent = !isGitLab && !parts.isEmpty && parts.last != "*"
    }

    /// What each path that matches begins with or, after `**/`, a name that it contains, or `*` and the ending of one.
    var key: String {
        func isPlain(_ part: String) -> Bool { strpbrk(part, "*?[\\") == nil }
        let start = parts.prefix(while: isPlain)
        guard start.isEmpty else { return start.joined(separator: "/") }
        let ending = parts.last.flatMap { $0.hasPrefix("*.") && isPlain(String($0.dropFirst())) ? $0 : nil }
        return "**/\(parts.last(where: isPlain) ?? ending ?? "")"
    }

    func matches(_ path: ArraySlice<String>) -> Bool { matches(path, parts[...]) }

    private func matches(_ path: ArraySlice<String>, _ parts: ArraySlice<String>) -> Bool {
        guard let part = parts.first else { return path.isEmpty || includesContent }
        let rest = parts.dropFirst()
        if part == "**" { return rest.isEmpty ? !path.isEmpty : path.indices.contains { matches(path[$0...], rest) } }
        guard let name = path.first, name == part || fnmatch(part, name, 0) == 0 else { return false }
        return matches(path.dropFirst(), rest)
    }
}
