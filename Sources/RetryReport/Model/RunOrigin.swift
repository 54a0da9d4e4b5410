import Foundation

/// Which code a run tested, and the job that ran it, as far as a CI service says so.
package struct RunOrigin: Hashable, Decodable, Sendable {
    package var commit: String?
    package var branch: String?
    /// The page of the job.
    package var job: String?
    /// What the address of each source file at this commit begins with, up to the working directory of the tests.
    package var sources: String?

    package init(commit: String? = nil, branch: String? = nil, job: String? = nil, sources: String? = nil) {
        self.commit = commit
        self.branch = branch
        self.job = job
        self.sources = sources
    }

    /// What all of `origins` say.
    package init(common origins: [RunOrigin]) {
        self.init()
        let parts: [WritableKeyPath<RunOrigin, String?>] = [\.commit, \.branch, \.job, \.sources]
        for part in parts where Set(origins.map { $0[keyPath: part] }).count == 1 {
            self[keyPath: part] = origins[0][keyPath: part]
        }
    }

    /// What the variables of GitHub, GitLab, Jenkins, Buildkite, CircleCI, Bitrise or Xcode Cloud say; nothing elsewhere.
    ///
    /// - Parameters:
    ///   - environment: The process's environment.
    ///   - workingDirectory: What paths in the report are relative to.
    package init(environment: [String: String], workingDirectory: String) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        var checkout: String?
        var repository: String?
        if value("GITHUB_ACTIONS") != nil {
            commit = value("GITHUB_SHA")
            branch = value("GITHUB_HEAD_REF", "GITHUB_REF_NAME")
            if let server = value("GITHUB_SERVER_URL"), let name = value("GITHUB_REPOSITORY") {
                job = value("GITHUB_RUN_ID").map { "\(server)/\(name)/actions/runs/\($0)" }
                sources = commit.map { "\(server)/\(name)/blob/\($0)" }
            }
            checkout = value("GITHUB_WORKSPACE")
        } else if value("GITLAB_CI") != nil {
            commit = value("CI_COMMIT_SHA")
            branch = value("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", "CI_COMMIT_REF_NAME")
            job = value("CI_JOB_URL")
            if let project = value("CI_PROJECT_URL") { sources = commit.map { "\(project)/-/blob/\($0)" } }
            checkout = value("CI_PROJECT_DIR")
        } else if value("CI_XCODE_CLOUD") != nil {
            commit = value("CI_COMMIT")
            branch = value("CI_PULL_REQUEST_SOURCE_BRANCH", "CI_BRANCH")
            job = value("CI_BUILD_URL")
        } else if value("BUILDKITE") != nil {
            commit = value("BUILDKITE_COMMIT")
            branch = value("BUILDKITE_BRANCH")
            job = value("BUILDKITE_BUILD_URL").map { url in value("BUILDKITE_JOB_ID").map { "\(url)#\($0)" } ?? url }
            repository = value("BUILDKITE_REPO")
            checkout = value("BUILDKITE_BUILD_CHECKOUT_PATH")
        } else if value("CIRCLECI") != nil {
            commit = value("CIRCLE_SHA1")
            branch = value("CIRCLE_BRANCH")
            job = value("CIRCLE_BUILD_URL")
            repository = value("CIRCLE_REPOSITORY_URL")
            checkout = value("CIRCLE_WORKING_DIRECTORY").map { path in
                path.hasPrefix("~") ? (value("HOME") ?? "~") + path.dropFirst() : path
            }
        } else if value("BITRISE_IO") != nil {
            commit = value("BITRISE_GIT_COMMIT", "GIT_CLONE_COMMIT_HASH")
            branch = value("BITRISE_GIT_BRANCH")
            job = value("BITRISE_BUILD_URL")
            repository = value("GIT_REPOSITORY_URL")
            checkout = value("BITRISE_SOURCE_DIR")
        } else if value("JENKINS_URL") != nil {
            commit = value("GIT_COMMIT")
            branch = value("CHANGE_BRANCH", "BRANCH_NAME", "GIT_BRANCH").map { name in
                name.hasPrefix("origin/") ? String(name.dropFirst("origin/".count)) : name
            }
            job = value("BUILD_URL")
            repository = value("GIT_URL")
            checkout = value("WORKSPACE")
        }
        if let repository, let commit, let page = Self.page(ofRepository: repository) {
            sources = "\(page)\(commit)"
        }
        // The tests of a package in a folder of the repository have that folder as their working directory.
        if let checkout, workingDirectory.hasPrefix("\(checkout)/") {
            sources? += workingDirectory.dropFirst(checkout.count)
        }
    }

    /// What the addresses of a repository's files begin with, if its host's are known: GitHub's and GitLab's. Such a URL
    /// may hold the name and password that the checkout used; those go no further.
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
