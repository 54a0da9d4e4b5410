/// Random numbers that are the same in every run: a counter whose bits are mixed (SplitMix64).
struct Dice {
    private var counter: UInt64

    init(seed: UInt64) {
        counter = seed
    }

    /// Whether something happens that happens in this share of cases.
    mutating func falls(_ share: Double) -> Bool {
        counter &+= 0x9E37_79B9_7F4A_7C15
        var bits = counter
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 31
        return Double(bits >> 11) * 0x1p-53 < share
    }
}
