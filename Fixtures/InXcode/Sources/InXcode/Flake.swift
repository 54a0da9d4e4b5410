/// What tests throw to flake.
public struct Flake: Error {
    /// Makes one.
    public init() {}
}
