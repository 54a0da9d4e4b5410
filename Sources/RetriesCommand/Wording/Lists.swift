extension [String] {
    /// The first few of these, and how many there are besides.
    var firstFew: String {
        let shown = prefix(5).joined(separator: ", ")
        return count > 5 ? "\(shown) and \(count - 5) more" : shown
    }
}
