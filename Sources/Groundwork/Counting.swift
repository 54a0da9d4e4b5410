extension Int {
    /// Such as `1 test`, `2 tests`.
    package func of(_ one: String, _ many: String? = nil) -> String {
        "\(self) \(self == 1 ? one : many ?? one + "s")"
    }
}
