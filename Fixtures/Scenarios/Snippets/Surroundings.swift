// A server to sign in to and a store to pay at, for the snippets in README and in the documentation.

import Foundation

struct Session {
    var user = "ada"
    var token: String? = "token"
    var isReady = true
    var isSignedIn: Bool { get throws { true } }
}

enum Server {
    static func signIn(_ user: String) throws -> Session { Session() }
}

struct Receipt {
    var amount = 1_200
}

struct Store {
    func pay(_ amount: Int) async throws -> Receipt { Receipt() }
}

var session: Session { Session() }
var store: Store { Store() }

#if !canImport(ObjectiveC)
    // As much of Apple's UI testing as the snippets use.
    final class XCUIApplication: XCUIElement {
        func launch() {}
        var buttons: XCUIElementQuery { XCUIElementQuery() }
    }

    class XCUIElement {
        func waitForExistence(timeout: Double) -> Bool { true }
    }

    struct XCUIElementQuery {
        subscript(name: String) -> XCUIElement { XCUIElement() }
    }
#endif

/// A view model.
@MainActor final class ProfileModel {
    var name = ""
    func appear() {}
}
