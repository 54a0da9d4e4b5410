// What the snippets in README and in the documentation take for granted: a server to sign in to, a store to pay at.

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
var somethingToAssert: Bool { true }
