extension Int {
    /// Such as `1 test`, `2 tests`.
    package func of(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? one + "s")"
    }

    /// This count, clamped to 0...1,000,000,000, because a file may contain an impossible one.
    package var plausible: Int { Swift.min(Swift.max(self, 0), 1_000_000_000) }
}
