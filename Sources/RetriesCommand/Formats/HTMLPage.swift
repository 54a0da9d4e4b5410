import Groundwork

/// A page for a person: one file that needs nothing else, neither a network nor scripts.
struct HTMLPage {
    var title: String
    /// What stands at the top: already HTML, like ``main``.
    var header: String
    var main: String
    /// What it has beside the style of all pages.
    var style = ""

    var text: String {
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
        \(HTMLStyle.text)\(style)
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
        \(HTMLScript.text)
        </script>
        </body>
        </html>

        """
    }
}

/// Parts that pages have in common.
enum HTMLPart {
    /// How many items of a group, and how many groups, are shown before the rest is folded: a few screens of them.
    static let itemLimit = 10
    static let groupLimit = 20

    /// A command, with a button that copies it where scripts run.
    static func command(_ command: String) -> String {
        "<p class=\"again\"><code>\(HTMLText.escaped(command))</code> "
            + "<button type=\"button\" class=\"copy\" hidden>Copy</button></p>"
    }

    /// Names of facts, and the facts in HTML.
    static func facts(_ facts: [(String, String)]) -> String {
        "<dl>\(facts.map { "<dt>\($0)</dt><dd>\($1)</dd>" }.joined())</dl>"
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

    /// A place in the source; a link if its page is known.
    static func place(_ place: String, link: String?) -> String {
        let code = "<code>\(HTMLText.escaped(place))</code>"
        return link.map { "<a href=\"\(HTMLText.escaped($0))\">\(code)</a>" } ?? code
    }

    /// Tests that belong together.
    ///
    /// - Parameter title: Already HTML, like the rows.
    static func group(_ title: String, reason: String = "", note: String, rows: [String]) -> String {
        """
        <section class="group" data-reason="\(HTMLText.escaped(reason))">
        <h2>\(title)</h2>
        <p class="soft">\(note)</p>
        \(folding(rows, limit: itemLimit) { "<ul class=\"tests\">\n\($0.joined(separator: "\n"))\n</ul>" })
        </section>
        """
    }

    /// A list of which the first items are shown and the rest is folded: a page of a thousand stays short, and nothing is
    /// out of reach where scripts do not run.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - limit: How many are shown.
    ///   - list: Makes a list of some of them.
    static func folding<Item>(_ items: [Item], limit: Int, _ list: ([Item]) -> String) -> String {
        let first = list(Array(items.prefix(limit)))
        guard items.count > limit else { return first }
        let rest = list(Array(items.dropFirst(limit)))
        let more = "<summary>and \(items.count - limit) more</summary>"
        return "\(first)\n<details class=\"rest\">\(more)\n\(rest)\n</details>"
    }
}

/// A row of a list, and what unfolds below it. All of it is HTML already.
struct HTMLRow {
    var attributes = ""
    /// Whether it is unfolded from the start.
    var isOpen = false
    var badge: (kind: String, words: String)
    var name: String
    var why: String
    /// Attempts or runs as blocks.
    var strip: String
    var time: String
    var more: [String]

    var html: String {
        """
        <li\(attributes)><details\(isOpen ? " open" : "")>
        <summary>
        <span class="badge \(badge.kind)">\(badge.words)</span>
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
}

/// Text as a page can hold it.
enum HTMLText {
    /// For between tags and in attributes; ends of lines stay, other control characters are made visible.
    static func escaped(_ text: String) -> String {
        text.escapingControlCharacters(except: ["\n", "\t"])
            .writing(["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;", "#": "&#35;"])
    }

    /// Attributes that scripts read.
    static func data(_ attributes: [(name: String, value: String)]) -> String {
        attributes.map { " data-\($0.name)=\"\(escaped($0.value))\"" }.joined()
    }
}
