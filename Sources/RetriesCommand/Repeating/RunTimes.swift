/// The seconds that runs take, and the limits that follow from them.
struct RunTimes {
    static let option: Syntax.Option = (
        "--limit DURATION", "End a run that takes longer; it has died (default: 20 times the median, 10s or more)."
    )

    /// Those after which no run begins, and those after which each is ended, as asked for.
    private let askedTotal, askedLimit: Double?
    /// Whether there is a time even if none was asked for.
    private let isTimed: Bool
    /// Whether runs are of several sets of tests, whose times differ, and one may take longer than the time for all.
    private let ofSeveralSets: Bool
    /// Those of runs as is, sorted.
    private var seconds: [Double] = []

    /// - Parameter usual: The seconds after which no run begins if none are asked for, for `new`, which chooses sets of tests.
    init(_ arguments: Arguments, isTimed: Bool = false, usual: Double? = nil) throws {
        (askedTotal, askedLimit) = (try arguments.duration("--for") ?? usual, try arguments.duration("--limit"))
        (self.isTimed, ofSeveralSets) = (isTimed, usual != nil)
    }

    private var median: Double { seconds.isEmpty ? 0 : seconds[seconds.count / 2] }
    /// That of the set which takes longest, if there are several.
    var typical: Double { ofSeveralSets ? seconds.last ?? 0 : median }

    /// - Parameter isTooLong: It was ended, so it says nothing of how long others take.
    mutating func add(_ time: Double, isTooLong: Bool = false) {
        if isTooLong { return }
        seconds.insert(time, at: seconds.firstIndex { $0 > time } ?? seconds.count)
    }

    /// The seconds after which no run begins; `nil` if only their number ends them.
    var total: Double? { askedTotal ?? (isTimed ? median > 0.3 ? 300 : 120 : nil) }

    /// Whether the first run under a condition may build, which is not to take the time of the others.
    func mayBuild(under condition: Condition?) -> Bool {
        askedTotal == nil && (condition == .races || condition == nil && isTimed)
    }

    /// The seconds after which a run is ended; `nil` if it may build, or if too little is known of the others.
    ///
    /// - Parameter isFirst: Whether no run of the same tests has ended.
    func limit(under condition: Condition?, isComparison: Bool, isFirst: Bool = false) -> Double? {
        if let askedLimit { return askedLimit }
        switch condition {
        case .races: return nil
        case .withAll where isComparison: return total.map { $0 / 10 }
        case _ where ofSeveralSets && isComparison && isFirst: return total.map { 2 * $0 }
        case _ where seconds.isEmpty: return askedTotal.map { isComparison ? min($0, max(10, $0 / 2)) : $0 }
        default:
            let least = seconds.count < 5 ? min(60, max(10, (total ?? .infinity) / 10)) : 10
            let most = total.map { ofSeveralSets ? max(2 * $0, 5 * typical) : $0 } ?? .infinity
            return min(max(least, 20 * typical), most)
        }
    }
}
