import Foundation
import Groundwork

/// The code that a run tested, and the job that ran it, as far as a CI service names them.
package struct RunOrigin: Hashable, Decodable, Sendable {
    package var commit: String?
    package var branch: String?
    /// The page of the job.
    package var job: String?
    /// The address of the tests' working directory at this commit: the beginning of source files' addresses.
    package var sources: String?
    /// The tests' working directory, from the root of the repository; `nil` if it is the root or unknown, and empty if a merged
    /// report of several folders has paths from the root.
    package var folder: String?

    /// All parts, by their keys in a report.
    static let parts: [(key: String, part: WritableKeyPath<RunOrigin, String?> & Sendable)] = [
        ("commit", \.commit), ("branch", \.branch), ("job", \.job), ("sources", \.sources), ("folder", \.folder),
    ]

    package static let unknown = RunOrigin()
}

extension RunOrigin {
    /// The parts in which all of `origins` agree.
    package init(common origins: [RunOrigin]) {
        self = .unknown
        for (_, part) in Self.parts where Set(origins.map { $0[keyPath: part] }).count == 1 {
            self[keyPath: part] = origins[0][keyPath: part]
        }
    }

    /// Reads the variables of a known CI service, and finds the root of the repository.
    ///
    /// - Parameter workingDirectory: The folder that paths in the report are relative to.
    package init(environment: [String: String], workingDirectory: String) {
        let service = CIVariables(environment)
        (commit, job, sources) = (service.commit, service.job, service.sources)
        branch = service.branch.map { $0.hasPrefix("origin/") ? String($0.dropFirst("origin/".count)) : $0 }
        if let commit, let page = service.repository.flatMap(Self.page) { sources = "\(page)\(commit)" }
        var root = service.checkout
        if let path = root, path.hasPrefix("~") { root = (environment["HOME"] ?? "") + path.dropFirst() }
        if let checkout = FilePath(workingDirectory).nearestFolder(holding: ".git") {
            root = Self.isSubmodule(checkout) ? nil : checkout
            if root == nil { sources = nil }  // the variables are of the repository around it
        }
        let path = FilePath(workingDirectory).relative(to: root ?? workingDirectory)
        guard path != workingDirectory else { return }
        folder = path
        sources = sources.map { $0 + folderInAddress }
    }

    /// The beginning of the addresses of files by their paths from the root; `nil` if it is not known.
    package var rootSources: String? {
        sources.flatMap { $0.hasSuffix(folderInAddress) ? String($0.dropLast(folderInAddress.count)) : nil }
    }

    private var folderInAddress: String {
        guard let folder, !folder.isEmpty else { return "" }
        return "/\(folder.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? folder)"
    }

    /// A file's path from the root of the repository; an absolute path stays.
    package func rooted(_ file: String) -> String {
        guard let folder, !folder.isEmpty, !file.hasPrefix("/") else { return file }
        let path = URL(fileURLWithPath: "/\(folder)/\(file)", isDirectory: false).standardized.path
        return String(path.dropFirst())
    }

    /// Distinguishes a submodule from a worktree, whose `.git` file points to `…/worktrees/NAME`.
    private static func isSubmodule(_ root: String) -> Bool {
        guard FilePath("\(root)/.git").kind != S_IFDIR else { return false }
        let target = FilePath(FilePath("\(root)/.git").readText() ?? "").folder
        return FilePath(target).name != "worktrees"
    }

    /// The beginning of the addresses of files; `nil` if the host is neither GitHub nor GitLab.
    ///
    /// The repository's URL may hold the name and password that the checkout used; those go no further.
    private static func page(ofRepository url: String) -> String? {
        // `git@host:owner/name.git` is `ssh://git@host/owner/name.git`.
        let parts = url.split(separator: ":", maxSplits: 1)
        let full = url.contains("://") ? url : "ssh://\(parts.joined(separator: "/"))"
        guard var page = URLComponents(string: full), let host = page.host else { return nil }
        if page.scheme == "ssh" { page.port = nil }
        (page.scheme, page.user, page.password) = ("https", nil, nil)
        if page.path.hasSuffix(".git") { page.path.removeLast(".git".count) }
        if host.contains("github") { return page.string.map { "\($0)/blob/" } }
        if host.contains("gitlab") { return page.string.map { "\($0)/-/blob/" } }
        return nil
    }
}
