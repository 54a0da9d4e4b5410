import Groundwork

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
