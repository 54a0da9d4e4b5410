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
