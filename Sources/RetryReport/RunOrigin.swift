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
    /// The tests' working directory, from the root of the repository; `nil` if it is the root or unknown.
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
        let service = CIVariables { name in environment[name].flatMap { $0.isEmpty ? nil : $0 } }
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
        sources? += "/\(path)"
    }

    /// The names in git of what the CI service says that it merges into, the best first; empty if it does not say.
    package static func targets(environment: [String: String]) -> [String] {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let branch = value("GITHUB_BASE_REF") ?? value("CI_MERGE_REQUEST_TARGET_BRANCH_NAME")
        let names = [value("CI_MERGE_REQUEST_DIFF_BASE_SHA"), branch.map { "origin/\($0)" }, branch]
        return names.compactMap(\.self)
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

/// The variables that the known CI services set, under one name for all services.
private struct CIVariables {
    var commit, branch, job: String?
    /// The address of the sources at the commit or, where no variable has it, of the repository.
    var sources, repository: String?
    var checkout: String?

    init(_ value: (String) -> String?) {
        if value("GITHUB_ACTIONS") != nil {
            commit = value("GITHUB_SHA")
            branch = value("GITHUB_HEAD_REF") ?? value("GITHUB_REF_NAME")
            if let server = value("GITHUB_SERVER_URL"), let name = value("GITHUB_REPOSITORY") {
                job = value("GITHUB_RUN_ID").map { "\(server)/\(name)/actions/runs/\($0)" }
                sources = commit.map { "\(server)/\(name)/blob/\($0)" }
            }
            checkout = value("GITHUB_WORKSPACE")
        } else if value("GITLAB_CI") != nil {
            commit = value("CI_COMMIT_SHA")
            branch = value("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME") ?? value("CI_COMMIT_REF_NAME")
            job = value("CI_JOB_URL")
            if let commit, let project = value("CI_PROJECT_URL") { sources = "\(project)/-/blob/\(commit)" }
            checkout = value("CI_PROJECT_DIR")
        } else if value("CI_XCODE_CLOUD") != nil {
            (commit, job) = (value("CI_COMMIT"), value("CI_BUILD_URL"))
            branch = value("CI_PULL_REQUEST_SOURCE_BRANCH") ?? value("CI_BRANCH")
        } else if value("BUILDKITE") != nil {
            (commit, branch) = (value("BUILDKITE_COMMIT"), value("BUILDKITE_BRANCH"))
            let fragment = value("BUILDKITE_JOB_ID").map { "#\($0)" } ?? ""
            job = value("BUILDKITE_BUILD_URL").map { $0 + fragment }
            (repository, checkout) = (value("BUILDKITE_REPO"), value("BUILDKITE_BUILD_CHECKOUT_PATH"))
        } else if value("CIRCLECI") != nil {
            (commit, branch, job) = (value("CIRCLE_SHA1"), value("CIRCLE_BRANCH"), value("CIRCLE_BUILD_URL"))
            (repository, checkout) = (value("CIRCLE_REPOSITORY_URL"), value("CIRCLE_WORKING_DIRECTORY"))
        } else if value("BITRISE_IO") != nil {
            commit = value("BITRISE_GIT_COMMIT") ?? value("GIT_CLONE_COMMIT_HASH")
            (branch, job) = (value("BITRISE_GIT_BRANCH"), value("BITRISE_BUILD_URL"))
            (repository, checkout) = (value("GIT_REPOSITORY_URL"), value("BITRISE_SOURCE_DIR"))
        } else if value("JENKINS_URL") != nil {
            (commit, job) = (value("GIT_COMMIT"), value("BUILD_URL"))
            branch = value("CHANGE_BRANCH") ?? value("BRANCH_NAME") ?? value("GIT_BRANCH")
            (repository, checkout) = (value("GIT_URL"), value("WORKSPACE"))
        }
    }
}
