/// What these tests find on the system that they run on.
enum ThisSystem {
    /// Whether Apple's own XCTest is out of reach, so that the double has to stand in for it.
    static var needsDouble: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }
}
