/// The name of something that an app tells of. Bytes decide: two ways to write one letter are two names, though Swift takes
/// them for equal.
package protocol EventName: RawRepresentable<String>, Hashable, CustomStringConvertible {}

extension EventName {
    /// The name.
    public var description: String { rawValue }

    /// Whether both names have the same bytes.
    public static func == (left: Self, right: Self) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    /// Hashes the name's bytes.
    public func hash(into hasher: inout Hasher) {
        for byte in rawValue.utf8 { hasher.combine(byte) }
    }
}
