import Foundation
import Groundwork

/// Parts that pages have in common.
enum HTMLPart {
    /// The number of items in a group, and of groups, above which the rest is folded: a few screens.
    static let itemLimit = 10
    static let groupLimit = 20

    /// A page: one file that needs neither a network nor scripts. Its header and main part are HTML already.
    static func page(title: String, header: String, main: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
        style-src 'unsafe-inline'; script-src 'unsafe-inline'">
        <title>\(HTMLText.escaped(title))</title>
        <style>
        \(HTMLStyle.text)
        </style>
        </head>
        <body>
        <header>
        \(header)
        </header>
        <main>
        \(main)
        </main>
        <script>
        \(script)
        </script>
        </body>
        </html>

        """
    }

    /// The script of a page, which copies commands.
    private static let script = """
        for (const button of document.querySelectorAll(".copy")) button.hidden = false;
        document.addEventListener("click", async (event) => {
          const button = event.target.closest(".copy");
          if (!button) return;
          const code = button.parentElement.querySelector("code");
          try {
            await navigator.clipboard.writeText(code.textContent);
          } catch {
            getSelection().selectAllChildren(code);
            document.execCommand("copy");
          }
          button.textContent = "Copied";
          setTimeout(() => { button.textContent = "Copy"; }, 2000);
        });
        """

    /// A command, with a button that copies it where scripts run.
    static func command(_ command: String) -> String {
        "<p class=\"again\"><code>\(HTMLText.escaped(command))</code> "
            + "<button type=\"button\" class=\"copy\" hidden>Copy</button></p>"
    }

    /// Names of facts, and the facts in HTML; those that are `nil` are left out.
    static func facts(_ facts: [(String, String?)]) -> String {
        let items = facts.compactMap { name, fact in fact.map { "<dt>\(name)</dt><dd>\($0)</dd>" } }
        return items.isEmpty ? "" : "<dl>\(items.joined())</dl>"
    }

    /// A table that can be scrolled where it is too wide; its cells are HTML already.
    static func table(_ name: String, _ heads: [String], _ rows: [[String]]) -> String {
        let rows = rows.map { "<tr>\($0.map { "<td>\($0)</td>" }.joined())</tr>" }
        return """
            <div class="wide" tabindex="0" role="group" aria-label="\(name)"><table>
            <thead><tr>\(heads.map { "<th scope=\"col\">\($0)</th>" }.joined())</tr></thead>
            <tbody>\(rows.joined(separator: "\n"))</tbody>
            </table></div>
            """
    }

    /// Rows that belong together, below HTML with their heading and what they have in common.
    static func group(_ top: String, _ rows: [String], limit: Int = itemLimit) -> String {
        """
        <section class="group">
        \(top)
        \(folding(rows, limit: limit) { "<ul class=\"tests\" role=\"list\">\n\($0.joined(separator: "\n"))\n</ul>" })
        </section>
        """
    }

    /// A row of a list, and the details that unfold below it. All of it is HTML already.
    static func row(
        attributes: String,
        isOpen: Bool = false,
        badge: (kind: String, text: String),
        name: String,
        why: String,
        strip: String,
        time: String,
        more: [String]
    ) -> String {
        """
        <li\(attributes)><details\(isOpen ? " open" : "")>
        <summary>
        <span class="badge \(badge.kind)">\(badge.text)</span>
        <span class="test">\(name) <span class="why">\(why)</span></span>
        \(strip)
        <span class="time">\(time)</span>
        </summary>
        <div class="more">
        \(more.joined(separator: "\n"))
        </div>
        </details></li>
        """
    }

    /// A line that is less important than the rest.
    static func soft(_ text: String) -> String { "<p class=\"soft\">\(HTMLText.escaped(text))</p>" }

    /// A list with the items above a limit folded, so that a page of a thousand stays short even without scripts.
    static func folding<Item>(_ items: [Item], limit: Int, _ list: ([Item]) -> String) -> String {
        let first = list(Array(items.prefix(limit)))
        guard items.count > limit else { return first }
        let rest = list(Array(items.dropFirst(limit)))
        let more = "<summary>and \(items.count - limit) more</summary>"
        return "\(first)\n<details class=\"rest\">\(more)\n\(rest)\n</details>"
    }
}

/// Text as a page can hold it.
enum HTMLText {
    /// Text for between tags and in attributes. Line breaks are kept, but begin no line of the file; other control characters
    /// are made visible.
    static func escaped(_ text: String) -> String {
        text.escapingControlCharacters(except: ["\n", "\t"])
            .replacing([
                "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;", "#": "&#35;", "\n": "&#10;",
            ])
    }

    /// Escaped text in which addresses are links.
    static func linked(_ text: String) -> String {
        text.linked({ "<a href=\"\(escaped($0))\">\(escaped($0))</a>" }, rest: escaped)
    }

    /// Escaped text that keeps each number on one line with the word or sign after it.
    static func unbroken(_ text: String) -> String {
        escaped(text).replacingOccurrences(of: "(?<=[0-9]) ", with: "\u{A0}", options: .regularExpression)
    }
}
