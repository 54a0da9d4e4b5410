import AppAutomation

extension Checkpoint {
    /// The first screen is shown, and the app takes orders.
    public static let ready = Checkpoint("ready")
    /// The list shows what the server sent last.
    public static let dataRefreshed = Checkpoint("dataRefreshed")
}

extension ElementIdentifier {
    /// The screens of a first run.
    public static let onboarding = ElementIdentifier("onboarding")
    /// The list.
    public static let list = ElementIdentifier("list")
    /// The wheel that turns while the list is refreshed.
    public static let spinner = ElementIdentifier("spinner")

    /// A row of the list.
    public static func row(_ number: Int) -> ElementIdentifier {
        ElementIdentifier("row \(number)")
    }
}
