extension Int {
    /// Such as `1 test`, `2 tests`.
    package func of(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? one + "s")"
    }

    /// This count where it can be one. A file may claim what nobody can have counted.
    package var plausible: Int { Swift.min(Swift.max(self, 0), 1_000_000_000) }
}
