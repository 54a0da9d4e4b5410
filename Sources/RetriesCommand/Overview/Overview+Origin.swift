import Foundation
import RetryReport

extension Overview {
    var origin: RunOrigin { report.run?.origin ?? RunOrigin() }

    /// The commit and the branch, such as `Commit 0123456789 on main`; `nil` if neither is known.
    var code: String? {
        let commit = origin.commit.map { "Commit \($0.prefix(10))" }
        switch (commit, origin.branch) {
        case (let commit?, let branch?): return "\(commit) on \(branch)"
        case (let commit?, nil): return commit
        case (nil, let branch?): return "Branch \(branch)"
        case (nil, nil): return nil
        }
    }

    /// The page of the job that ran the tests, if it is one that a browser may be sent to.
    var job: String? { origin.job.flatMap { $0.isPageAddress ? $0 : nil } }

    /// The page that shows a line of the source; `nil` where the address of the source is not known.
    func link(to located: some Located) -> String? {
        guard let sources = origin.sources, sources.isPageAddress, let file = located.file, !file.hasPrefix("/"),
            !file.split(separator: "/").contains(".."),
            let path = file.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed)
        else { return nil }
        return "\(sources)/\(path)" + (located.line.map { "#L\($0)" } ?? "")
    }
}

extension String {
    /// Whether this is nothing but the address of a page, and no longer than a browser takes: a report is only a file,
    /// and may hold anything.
    fileprivate var isPageAddress: Bool {
        let pattern = "^https?://[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=%-]*\\z"
        return utf8.count <= 2000 && range(of: pattern, options: .regularExpression) != nil
    }
}
