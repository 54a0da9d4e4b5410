/// The version of this command.
enum Version {
    static let text = "1.0.0"
}
