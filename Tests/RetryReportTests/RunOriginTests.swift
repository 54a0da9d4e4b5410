import Foundation
import RetryReport
import Testing

@Suite("Where a run comes from")
struct RunOriginTests {
    /// What a service sets, and what the report says of it; the package is in the folder `ios` of its repository.
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
            origin: RunOrigin(
                commit: "abc",
                branch: "main",
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
            description: "GitLab",
            environment: [
                "GITLAB_CI": "true", "CI_COMMIT_SHA": "abc", "CI_COMMIT_REF_NAME": "main", "CI_PROJECT_DIR": "/src",
                "CI_JOB_URL": "https://gitlab.com/o/r/-/jobs/7", "CI_PROJECT_URL": "https://gitlab.com/o/r",
            ],
            origin: RunOrigin(
                commit: "abc",
                branch: "main",
                job: "https://gitlab.com/o/r/-/jobs/7",
                sources: "https://gitlab.com/o/r/-/blob/abc/ios"
            )
        ),
        Service(
            description: "Jenkins",
            environment: [
                "JENKINS_URL": "https://ci.example/", "GIT_COMMIT": "abc", "GIT_BRANCH": "origin/main",
                "WORKSPACE": "/src",
                "BUILD_URL": "https://ci.example/job/r/7/", "GIT_URL": "https://ada:secret@github.com/o/r.git",
            ],
            origin: RunOrigin(
                commit: "abc",
                branch: "main",
                job: "https://ci.example/job/r/7/",
                sources: "https://github.com/o/r/blob/abc/ios"
            )
        ),
        Service(
            description: "Buildkite",
            environment: [
                "BUILDKITE": "true", "BUILDKITE_COMMIT": "abc", "BUILDKITE_BRANCH": "main", "BUILDKITE_JOB_ID": "j",
                "BUILDKITE_BUILD_URL": "https://buildkite.com/o/r/builds/7", "BUILDKITE_REPO": "git@github.com:o/r.git",
                "BUILDKITE_BUILD_CHECKOUT_PATH": "/src",
            ],
            origin: RunOrigin(
                commit: "abc",
                branch: "main",
                job: "https://buildkite.com/o/r/builds/7#j",
                sources: "https://github.com/o/r/blob/abc/ios"
            )
        ),
        Service(
            description: "CircleCI",
            environment: [
                "CIRCLECI": "true", "CIRCLE_SHA1": "abc", "CIRCLE_BRANCH": "main", "HOME": "/",
                "CIRCLE_BUILD_URL": "https://circleci.com/gh/o/r/7", "CIRCLE_WORKING_DIRECTORY": "~src",
                "CIRCLE_REPOSITORY_URL": "ssh://git@gitlab.example:2222/o/r.git",
            ],
            origin: RunOrigin(
                commit: "abc",
                branch: "main",
                job: "https://circleci.com/gh/o/r/7",
                sources: "https://gitlab.example/o/r/-/blob/abc/ios"
            )
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

    @Test("is what the variables of its service say", arguments: known)
    func services(service: Service) {
        #expect(RunOrigin(environment: service.environment, workingDirectory: "/src/ios") == service.origin)
    }

    @Test("is in the report, and in a merged one what all of its runs say")
    func report() throws {
        let run = Report.Run(id: "1", startedAt: .morning)
        var reports = [Report(run: run), Report(run: run)]
        reports[0].run?.origin = RunOrigin(commit: "abc", branch: "main", job: "https://a/1", sources: "https://s")
        #expect(try Report(json: reports[0].json()) == reports[0])
        reports[1].run?.origin = RunOrigin(commit: "abc", branch: "main", job: "https://a/2", sources: "https://s")
        let merged = RunOrigin(commit: "abc", branch: "main", sources: "https://s")
        #expect(Report(merging: reports).run?.origin == merged)
    }
}
