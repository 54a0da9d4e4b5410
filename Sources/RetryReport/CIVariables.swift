import Foundation

/// The variables that the known CI services set, under one name for all services.
package struct CIVariables {
    var commit, branch, job: String?
    /// The address of the sources at the commit or, where no variable has it, of the repository.
    var sources, repository: String?
    var checkout: String?
    private var givenDefault, gitHubEvent: String?

    /// The repository's default branch, on GitHub, GitLab and Buildkite.
    package var defaultBranch: String? {
        // What cannot be read names no branch.
        let json = gitHubEvent.flatMap { FileManager.default.contents(atPath: $0) }
        let event = json.flatMap { try? JSONDecoder().decode(GitHubEvent.self, from: $0) }
        return givenDefault ?? event?.repository.defaultBranch
    }

    /// The branch that this is to be merged into.
    package let target: String?
    /// The branch of this job, if GitHub or GitLab says that not everybody may change it.
    package private(set) var protectedBranch: String?
    /// The names in git of what the service says that it merges into, the best first; empty if it does not say.
    package let targets: [String]

    package init(_ environment: [String: String]) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        // What is to be merged into a branch of its own name is a fork's.
        func source(_ head: String, into target: String) -> String? {
            value(head).map { $0 == value(target) ? "fork/\($0)" : $0 }
        }
        let namesOfTarget = [
            "GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "CI_PULL_REQUEST_TARGET_BRANCH",
            "BUILDKITE_PULL_REQUEST_BASE_BRANCH", "BITRISEIO_GIT_BRANCH_DEST", "CHANGE_TARGET",
        ]
        target = namesOfTarget.compactMap(value).first
        // In a pipeline of merged results, HEAD has what came into the target since the branch left it.
        let base = value("CI_MERGE_REQUEST_TARGET_BRANCH_SHA") ?? value("CI_MERGE_REQUEST_DIFF_BASE_SHA")
        targets = [base, target.map { "origin/\($0)" }, target].compactMap(\.self)
        if value("GITHUB_ACTIONS") != nil {
            commit = value("GITHUB_SHA")
            branch = source("GITHUB_HEAD_REF", into: "GITHUB_BASE_REF") ?? value("GITHUB_REF_NAME")
            if let server = value("GITHUB_SERVER_URL"), let name = value("GITHUB_REPOSITORY") {
                job = value("GITHUB_RUN_ID").map { "\(server)/\(name)/actions/runs/\($0)" }
                sources = commit.map { "\(server)/\(name)/blob/\($0)" }
            }
            checkout = value("GITHUB_WORKSPACE")
            if value("GITHUB_REF_PROTECTED") == "true" { protectedBranch = value("GITHUB_REF_NAME") }
            gitHubEvent = value("GITHUB_EVENT_PATH")
        } else if value("GITLAB_CI") != nil {
            commit = value("CI_COMMIT_SHA")
            branch =
                source("CI_MERGE_REQUEST_SOURCE_BRANCH_NAME", into: "CI_MERGE_REQUEST_TARGET_BRANCH_NAME")
                ?? value("CI_COMMIT_REF_NAME")
            (job, givenDefault) = (value("CI_JOB_URL"), value("CI_DEFAULT_BRANCH"))
            if let commit, let project = value("CI_PROJECT_URL") { sources = "\(project)/-/blob/\(commit)" }
            checkout = value("CI_PROJECT_DIR")
            if value("CI_COMMIT_REF_PROTECTED") == "true" { protectedBranch = value("CI_COMMIT_REF_NAME") }
        } else if value("CI_XCODE_CLOUD") != nil {
            (commit, job) = (value("CI_COMMIT"), value("CI_BUILD_URL"))
            branch =
                source("CI_PULL_REQUEST_SOURCE_BRANCH", into: "CI_PULL_REQUEST_TARGET_BRANCH") ?? value("CI_BRANCH")
        } else if value("BUILDKITE") != nil {
            (commit, branch) = (value("BUILDKITE_COMMIT"), value("BUILDKITE_BRANCH"))
            givenDefault = value("BUILDKITE_PIPELINE_DEFAULT_BRANCH")
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
            branch = source("CHANGE_BRANCH", into: "CHANGE_TARGET") ?? value("BRANCH_NAME") ?? value("GIT_BRANCH")
            (repository, checkout) = (value("GIT_URL"), value("WORKSPACE"))
        }
    }
}

/// What triggered a workflow of GitHub's.
private struct GitHubEvent: Decodable {
    struct Repository: Decodable {
        let defaultBranch: String

        enum CodingKeys: String, CodingKey { case defaultBranch = "default_branch" }
    }

    let repository: Repository
}
