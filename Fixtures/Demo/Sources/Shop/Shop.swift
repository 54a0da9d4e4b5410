/// The code under test: a shop whose services misbehave now and then, as real ones do.
///
/// To make a demonstration that looks the same every time, "now and then" is "until it was asked often enough".
public actor Shop {
    /// The one shop of this process.
    public static let shared = Shop()

    private var visits: [String: Int] = [:]

    /// Signs a user in. The session's token arrives late for the first visitor.
    public func signIn(_ user: String) -> Session {
        Session(user: user, token: visit("sign in") > 1 ? "token" : nil)
    }

    /// Pays. The payment provider's sandbox drops the first two requests.
    public func pay(_ amount: Int) throws -> Receipt {
        guard visit("pay") > 2 else { throw PaymentError.timeout }
        return Receipt(amount: amount)
    }

    /// Looks for products. The first answer comes from an index that is still being built.
    public func search(_ text: String) async -> [String] {
        await Task.yield()
        return visit("search") > 1 ? ["red shoes", "blue shoes"].filter { $0.contains(text) } : []
    }

    private func visit(_ place: String) -> Int {
        visits[place, default: 0] += 1
        return visits[place, default: 0]
    }
}

/// Somebody who signed in.
public struct Session: Sendable {
    /// Who.
    public let user: String
    /// What the server asks for with every request; `nil` until it has arrived.
    public let token: String?
}

/// Proof of a payment.
public struct Receipt: Sendable {
    /// In cents.
    public let amount: Int
}

/// What can go wrong with a payment.
public enum PaymentError: Error {
    /// The provider did not answer.
    case timeout
}
