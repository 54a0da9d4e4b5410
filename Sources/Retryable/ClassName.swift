import Groundwork
import RetryCore

/// What a class is called, and the module that it is declared in.
struct ClassName {
    let name: String
    let module: String

    private init(_ testClass: AnyClass) {
        name = "\(testClass)"
        module = String(reflecting: testClass).split(separator: ".").first.map(String.init) ?? ""
    }

    private static let known = Locked<[ObjectIdentifier: ClassName]>([:])

    /// The name of a class. Cached, because Swift builds the text each time.
    static func of(_ testClass: AnyClass) -> ClassName {
        known.withLock { known in
            let key = ObjectIdentifier(testClass)
            if let name = known[key] { return name }
            let name = ClassName(testClass)
            known[key] = name
            return name
        }
    }
}
