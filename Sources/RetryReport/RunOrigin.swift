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
        let environment = environment.filter { !$0.value.isEmpty }
        let service = Self.services.first { environment[$0["service"] ?? ""] != nil } ?? [:]
        func value(_ part: String) -> String? {
            service[part]?.split(separator: " ").lazy.compactMap { Self.fill($0, from: environment) }.first
        }
        commit = value("commit")
        branch = value("branch").map { $0.hasPrefix("origin/") ? String($0.dropFirst("origin/".count)) : $0 }
        job = value("job")
        sources = value("sources")
        if let commit, let page = value("repository").flatMap(Self.page) { sources = "\(page)\(commit)" }
        var root = value("checkout")
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

    /// The variables of the CI services. For each part, the first template counts of which all variables are set.
    private static let services = [
        [
            "service": "GITHUB_ACTIONS", "commit": "$GITHUB_SHA", "branch": "$GITHUB_HEAD_REF $GITHUB_REF_NAME",
            "job": "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID",
            "sources": "$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/blob/$GITHUB_SHA", "checkout": "$GITHUB_WORKSPACE",
        ],
        [
            "service": "GITLAB_CI", "commit": "$CI_COMMIT_SHA", "job": "$CI_JOB_URL",
            "branch": "$CI_MERGE_REQUEST_SOURCE_BRANCH_NAME $CI_COMMIT_REF_NAME",
            "sources": "$CI_PROJECT_URL/-/blob/$CI_COMMIT_SHA", "checkout": "$CI_PROJECT_DIR",
        ],
        [
            "service": "CI_XCODE_CLOUD", "commit": "$CI_COMMIT", "branch": "$CI_PULL_REQUEST_SOURCE_BRANCH $CI_BRANCH",
            "job": "$CI_BUILD_URL",
        ],
        [
            "service": "BUILDKITE", "commit": "$BUILDKITE_COMMIT", "branch": "$BUILDKITE_BRANCH",
            "job": "$BUILDKITE_BUILD_URL#$BUILDKITE_JOB_ID $BUILDKITE_BUILD_URL", "repository": "$BUILDKITE_REPO",
            "checkout": "$BUILDKITE_BUILD_CHECKOUT_PATH",
        ],
        [
            "service": "CIRCLECI", "commit": "$CIRCLE_SHA1", "branch": "$CIRCLE_BRANCH", "job": "$CIRCLE_BUILD_URL",
            "repository": "$CIRCLE_REPOSITORY_URL", "checkout": "$CIRCLE_WORKING_DIRECTORY",
        ],
        [
            "service": "BITRISE_IO", "commit": "$BITRISE_GIT_COMMIT $GIT_CLONE_COMMIT_HASH",
            "branch": "$BITRISE_GIT_BRANCH", "job": "$BITRISE_BUILD_URL", "repository": "$GIT_REPOSITORY_URL",
            "checkout": "$BITRISE_SOURCE_DIR",
        ],
        [
            "service": "JENKINS_URL", "commit": "$GIT_COMMIT", "branch": "$CHANGE_BRANCH $BRANCH_NAME $GIT_BRANCH",
            "job": "$BUILD_URL", "repository": "$GIT_URL", "checkout": "$WORKSPACE",
        ],
    ]

    /// Replaces the variables in a template with their values; `nil` if one is not set.
    private static func fill(_ template: Substring, from environment: [String: String]) -> String? {
        var text = ""
        for part in template.split(separator: "$") {
            let name = String(part.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
            guard let value = environment[name] else { return nil }
            text += value + part.dropFirst(name.count)
        }
        return text
    }

    /// Distinguishes a submodule from a worktree, whose `.git` file points to `…/worktrees/NAME`.
    private static func isSubmodule(_ root: String) -> Bool {
        guard FilePath("\(root)/.git").kind != S_IFDIR else { return false }
        let target = FilePath(Descriptor.text(at: "\(root)/.git") ?? "").folder
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
