import Foundation

/// A source of rows.
public protocol Server: Sendable {
    /// Hands over rows, some time, on some thread.
    func fetchRows(_ completion: @escaping @Sendable ([String]) -> Void)
}

/// A server that takes its time, and never the same.
public struct SlowServer: Server {
    private let name: String

    /// The server at this place.
    public init(at endpoint: URL?) {
        name = endpoint?.host ?? "live.example.com"
    }

    /// Hands over three rows within a twentieth of a second.
    public func fetchRows(_ completion: @escaping @Sendable ([String]) -> Void) {
        let name = name
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int.random(in: 0...50))) {
            completion((1...3).map { "\(name) \($0)" })
        }
    }
}
