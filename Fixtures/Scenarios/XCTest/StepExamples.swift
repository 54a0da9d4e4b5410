import Retryable

// The examples of TargetedAutoRetry's page, as they are printed there, in both kinds of class that they work in.

/// An app that does nothing at the first try.
final class SlowApp {
    private var tries: [String: Int] = [:]

    func attempt(_ action: String) {
        print(action)
        tries[action, default: 0] += 1
    }

    func hasTwice(_ action: String) -> Bool { tries[action, default: 0] > 1 }
}

#if !canImport(ObjectiveC)
    /// As much of XCUIApplication as the examples need. Its button appears at the second launch.
    struct XCUIApplication {
        nonisolated(unsafe) private static var launches = 0  // tests run one after the other

        struct Buttons {
            subscript(name: String) -> Element { Element(exists: name == "Foo" && launches > 1) }
        }

        struct Element {
            var exists: Bool
        }

        var buttons: Buttons { Buttons() }

        func launch() {
            print("launch app")
            XCUIApplication.launches += 1
        }
    }
#endif

/// The actions and conditions that the examples assume.
protocol Awesome: TargetedAutoRetry {
    var app: SlowApp { get }
}

extension Awesome {
    var username: String { "ada" }
    var password: String { "secret" }
    func launch() { app.attempt("launch") }
    func isLaunched() -> Bool { app.hasTwice("launch") }
    func signIn() { app.attempt("sign in") }
    func signIn(_ username: String, _ password: String) { app.attempt("sign in as \(username)") }
    func isSignedIn() -> Bool { app.hasTwice("sign in") || app.hasTwice("sign in as ada") }
    func navToPage() { app.attempt("go to page") }
    func navToHomePage() { app.attempt("go home") }
    func pageLoaded() -> Bool { app.hasTwice("go to page") }
}
