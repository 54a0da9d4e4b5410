/// Why an app could not be launched, or was not ready in time.
struct AppLaunchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
