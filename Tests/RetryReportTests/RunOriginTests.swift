import Foundation
import TestSupport
import Testing

@testable import RetryReport

@Suite("Where a run comes from")
final class RunOriginTests: FolderTests {
    /// The variables of a service, and the origin that the report has; the package is in the folder `ios` of its repository.
    struct Service: Sendable, CustomStringConvertible {
        var description: String
        var environment: [String: String]
        var origin: RunOrigin
    }

    private static let known = [
        Service(
            description: "GitHub",
            environment: [
                "GITHUB_ACTIONS": "true", "GITHUB_SHA": "abc", "GITHUB_REF_NAME": "main", "GITHUB_HEAD_REF": "",
                "GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "o/r", "GITHUB_RUN_ID": "7",
                "GITHUB_WORKSPACE": "/src",
            ],
            origin: .ofMain(
                job: "https://github.com/o/r/actions/runs/7",
                sources: "https://github.com/o/r/blob/abc/ios"
            )
        ),
        Service(
            description: "a pull request on GitHub",
            environment: [
                "GITHUB_ACTIONS": "true", "GITHUB_SHA": "abc", "GITHUB_REF_NAME": "9/merge", "GITHUB_HEAD_REF": "fix",
            ],
            origin: RunOrigin(commit: "abc", branch: "fix")
        ),
        Service(
            description: "a pull request on GitHub, from a fork's branch of the same name",
            environment: [
                "GITHUB_ACTIONS": "true", "GITHUB_SHA": "abc", "GITHUB_REF_NAME": "9/merge", "GITHUB_HEAD_REF": "main",
                "GITHUB_BASE_REF": "main",
            ],
            origin: RunOrigin(commit: "abc", branch: "fork/main")
        ),
        Service(
            description: "a pull request on Jenkins, from a fork's branch of the same name",
            environment: [
                "JENKINS_URL": "https://ci.example/", "GIT_COMMIT": "abc", "BRANCH_NAME": "PR-9",
                "CHANGE_BRANCH": "main", "CHANGE_TARGET": "main",
            ],
            origin: RunOrigin(commit: "abc", branch: "fork/main")
        ),
        Service(
            description: "a merge request on GitLab, from a fork's branch of the same name",
            environment: [
                "GITLAB_CI": "true", "CI_COMMIT_SHA": "abc", "CI_COMMIT_REF_NAME": "main",
                "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": "main", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
            ],
            origin: RunOrigin(commit: "abc", branch: "fork/main")
        ),
        Service(
            description: "GitLab",
            environment: [
                "GITLAB_CI": "true", "CI_COMMIT_SHA": "abc", "CI_COMMIT_REF_NAME": "main", "CI_PROJECT_DIR": "/src",
                "CI_JOB_URL": "https://gitlab.com/o/r/-/jobs/7", "CI_PROJECT_URL": "https://gitlab.com/o/r",
            ],
            origin: .ofMain(job: "https://gitlab.com/o/r/-/jobs/7", sources: "https://gitlab.com/o/r/-/blob/abc/ios")
        ),
        Service(
            description: "Jenkins",
            environment: [
                "JENKINS_URL": "https://ci.example/", "GIT_COMMIT": "abc", "GIT_BRANCH": "origin/main",
                "WORKSPACE": "/src",
                "BUILD_URL": "https://ci.example/job/r/7/", "GIT_URL": "https://ada:secret@github.com/o/r.git",
            ],
            origin: .ofMain(job: "https://ci.example/job/r/7/", sources: "https://github.com/o/r/blob/abc/ios")
        ),
        Service(
            description: "Buildkite",
            environment: [
                "BUILDKITE": "true", "BUILDKITE_COMMIT": "abc", "BUILDKITE_BRANCH": "main", "BUILDKITE_JOB_ID": "j",
                "BUILDKITE_BUILD_URL": "https://buildkite.com/o/r/builds/7", "BUILDKITE_REPO": "git@github.com:o/r.git",
                "BUILDKITE_BUILD_CHECKOUT_PATH": "/src",
            ],
            origin: .ofMain(job: "https://buildkite.com/o/r/builds/7#j", sources: "https://github.com/o/r/blob/abc/ios")
        ),
        Service(
            description: "CircleCI",
            environment: [
                "CIRCLECI": "true", "CIRCLE_SHA1": "abc", "CIRCLE_BRANCH": "main", "HOME": "/",
                "CIRCLE_BUILD_URL": "https://circleci.com/gh/o/r/7", "CIRCLE_WORKING_DIRECTORY": "~src",
                "CIRCLE_REPOSITORY_URL": "ssh://git@gitlab.example:2222/o/r.git",
            ],
            origin: .ofMain(job: "https://circleci.com/gh/o/r/7", sources: "https://gitlab.example/o/r/-/blob/abc/ios")
        ),
        Service(
            description: "Bitrise",
            environment: [
                "BITRISE_IO": "true", "GIT_CLONE_COMMIT_HASH": "abc", "BITRISE_GIT_BRANCH": "main",
                "BITRISE_BUILD_URL": "https://app.bitrise.io/build/7",
                "GIT_REPOSITORY_URL": "https://bitbucket.org/o/r",
            ],
            origin: RunOrigin(commit: "abc", branch: "main", job: "https://app.bitrise.io/build/7")
        ),
        Service(
            description: "Xcode Cloud",
            environment: [
                "CI_XCODE_CLOUD": "TRUE", "CI_COMMIT": "abc", "CI_BRANCH": "main",
                "CI_BUILD_URL": "https://appstoreconnect.apple.com/7",
            ],
            origin: RunOrigin(commit: "abc", branch: "main", job: "https://appstoreconnect.apple.com/7")
        ),
        Service(description: "a laptop", environment: ["CI_COMMIT": "abc", "GIT_COMMIT": "abc"], origin: RunOrigin()),
    ]

    @Test("the origin of a run is what the variables of its service say", arguments: known)
    func services(service: Service) {
        #expect(RunOrigin(environment: service.environment, workingDirectory: "/src/ios") == service.origin)
    }

    /// A working copy: what its `.git` is, and where the tests run.
    struct Copy: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The text of the `.git` file; `nil` if it is a folder.
        var link: String?
        var tests = "ios/Shop"
        var checkout = "elsewhere"
        var folder: String?
        var sources: String?
    }

    private static let copies = [
        Copy(testDescription: "a package in a folder", folder: "ios/Shop", sources: "blob/abc/ios/Shop"),
        Copy(
            testDescription: "a package in a folder whose name has a space",
            tests: "my ios/Shop",
            folder: "my ios/Shop",
            sources: "blob/abc/my%20ios/Shop"
        ),
        Copy(testDescription: "a package at the root", tests: "", sources: "blob/abc"),
        Copy(
            testDescription: "a checkout in a folder of CI's own",
            checkout: "..",
            folder: "ios/Shop",
            sources: "blob/abc/ios/Shop"
        ),
        Copy(
            testDescription: "a worktree",
            link: "gitdir: /src/.git/worktrees/fix\n",
            folder: "ios/Shop",
            sources: "blob/abc/ios/Shop"
        ),
        Copy(testDescription: "a submodule, which has no addresses", link: "gitdir: ../.git/modules/copy\n"),
    ]

    @Test(
        "the origin of a run has its folder and addresses from the root of the repository, wherever CI says that it is",
        arguments: copies
    )
    func root(copy: Copy) throws {
        let tests = folder.file("copy/\(copy.tests)")
        try FileManager.default.createDirectory(at: tests, withIntermediateDirectories: true)
        let git = folder.file("copy/.git")
        if let link = copy.link {
            try Data(link.utf8).write(to: git)
        } else {
            try FileManager.default.createDirectory(at: git, withIntermediateDirectories: true)
        }
        let environment = [
            "GITHUB_ACTIONS": "true", "GITHUB_SHA": "abc", "GITHUB_SERVER_URL": "https://github.com",
            "GITHUB_REPOSITORY": "o/r", "GITHUB_WORKSPACE": folder.file("copy/\(copy.checkout)").standardized.path,
        ]
        let origin = RunOrigin(environment: environment, workingDirectory: tests.standardized.path)
        #expect(origin.folder == copy.folder)
        #expect(origin.sources == copy.sources.map { "https://github.com/o/r/\($0)" })
        #expect(RunOrigin(environment: [:], workingDirectory: tests.path).folder == copy.folder)
    }

    @Test("the origin of a run is in the report, and in a merged one what all of its runs say")
    func report() throws {
        let run = Report.Run(id: "1", startedAt: .morning)
        var reports = [Report(run: run), Report(run: run)]
        let origin = RunOrigin(commit: "abc", branch: "main", job: "https://a/1", sources: "https://s", folder: "ios")
        reports[0].run?.origin = origin
        #expect(try Report(json: reports[0].json()) == reports[0])
        reports[1].run?.origin = origin
        reports[1].run?.origin.job = "https://a/2"
        var merged = origin
        merged.job = nil
        #expect(Report(merging: reports).run?.origin == merged)
        reports[1].run?.origin.folder = nil
        #expect(Report(merging: reports).run?.origin.folder == "")
    }
}

extension RunOrigin {
    fileprivate static func ofMain(job: String, sources: String) -> RunOrigin {
        RunOrigin(commit: "abc", branch: "main", job: job, sources: sources, folder: "ios")
    }
}
