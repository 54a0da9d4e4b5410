import Foundation
import RetryReport
import Testing

@testable import RetriesCommand

@Suite("Addresses in a reason")
struct LinkTests {
    private let reason = "slow (see https://example.com/issues/12?a=1&b=2#c_d), https://example.com/~ada/x."

    private func shown(_ format: ReportFormat, _ reason: String) throws -> String {
        var test = Sample.retry("-[A a]", .recovered, [.flaked, .passed])
        test.mark.reason = reason
        let overview = Report(run: Sample.run("1"), tests: [test]).overview
        return String(decoding: try format.bytes(of: overview), as: UTF8.self)
    }

    private func shown(_ format: HistoryFormat, _ reason: String) throws -> String {
        let history = History([RunRecord(Sample.run(1, [Sample.mark(reason)]))].compactMap(\.self))
        return String(decoding: try format.bytes(of: history, hasColor: false), as: UTF8.self)
    }

    @Test("addresses are links on the pages, in Markdown and in Slack")
    func links() throws {
        let page = """
            slow (see <a href="https://example.com/issues/12?a=1&amp;b=2&#35;c_d">https://example.com/issues/12?a=1&amp;b=2&#35;c_d</a>), \
            <a href="https://example.com/~ada/x">https://example.com/~ada/x</a>.
            """
        #expect(try shown(ReportFormat.html, reason).contains("<h3>\(page) <span"))
        #expect(try shown(HistoryFormat.html, reason).contains("<span class=\"name\">\(page)</span>"))
        let markdown = """
            slow (see [https://example.com/issues/12?a=1&amp;b=2\\#c\\_d](<https://example.com/issues/12?a=1&amp;b=2#c_d>)), \
            [https://example.com/\\~ada/x](<https://example.com/~ada/x>).<br>*fixable*
            """
        #expect(try shown(ReportFormat.markdown, reason).contains("| \(markdown)"))
        #expect(try shown(HistoryFormat.markdown, reason).contains("| \(markdown)"))
        let slack = #"\n<https://example.com/issues/12?a=1&amp;b=2#c_d> <https://example.com/~ada/x> \n"#
        #expect(try shown(ReportFormat.slack, reason).contains(slack))
    }

    @Test(
        "nothing else is a link, and no address leaves its place",
        arguments: [
            "http://example.com/a", "javascript:alert(1)", "https://github.com@example.com/a", "xhttps://example.com/a",
            "https://", "https:///a", "https://|evil", "https://<b>", "https://example.com…", "HTTPS://example.com",
        ]
    )
    func forged(reason: String) throws {
        #expect(reason.linked({ _ in "LINK" }, rest: { $0 }) == reason)
        #expect(try !shown(ReportFormat.slack, reason).contains("<https"))
    }

    @Test(
        "an address ends where it could end a tag, a cell or a link",
        arguments: ["\"", "'", "<", ">", "|", "]", "`", "\\", "\n", " ", "\u{202E}", "*", "$", "{"]
    )
    func ends(end: String) {
        let shown = "https://a.b/c\(end)d".linked({ "[\($0)]" }, rest: { $0 })
        #expect(shown == "[https://a.b/c]\(end)d")
    }

    @Test("an address that is cut is no link, as it would lead elsewhere")
    func cut() throws {
        let long = "https://example.com/" + String(repeating: "a", count: 2500)
        for format in [ReportFormat.html, .markdown] {
            #expect(try !shown(format, long).contains("[https") && !shown(format, long).contains("<a "))
        }
        #expect(try !shown(ReportFormat.slack, long).contains("<https"))
        #expect(try !shown(HistoryFormat.html, long).contains("<a "))
        #expect(
            "https://a.b/c.d".cut(to: 14).linked({ _ in "LINK" }, rest: { $0 }) == "https://a.b/c.… (1 character more)"
        )
    }

    @Test("a long reason without an address is as it was", arguments: [ReportFormat.html, .markdown, .slack])
    func long(format: ReportFormat) throws {
        let text = String(repeating: "a", count: 320)
        #expect(try shown(format, text).components(separatedBy: "more)").count <= 2)
    }
}
