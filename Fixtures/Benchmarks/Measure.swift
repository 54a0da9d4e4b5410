import Foundation

/// Returns how long `body` takes, in seconds.
func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    try body()
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
}

/// The processor's time that this process has had so far, in seconds.
var processorTime: Double {
    var time = timespec()
    guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return .nan }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Returns the processor's time that `body` takes, in seconds, in which other processes show less than in the clock's.
func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
    let start = processorTime
    try body()
    return processorTime - start
}

/// Two things measured in turn, each time in the other order, so that a disturbance meets both.
struct Pair {
    private(set) var first: [Double] = []
    private(set) var second: [Double] = []

    init(rounds: Int, _ measureFirst: () throws -> Double, _ measureSecond: () throws -> Double) rethrows {
        _ = (try measureFirst(), try measureSecond())  // warms both up
        for round in 0..<rounds {
            if round.isMultiple(of: 2) { first.append(try measureFirst()) }
            second.append(try measureSecond())
            if !round.isMultiple(of: 2) { first.append(try measureFirst()) }
        }
    }

    init(_ rounds: [(Double, Double)]) {
        (first, second) = (rounds.map(\.0), rounds.map(\.1))
    }

    /// The median of the rounds' ratios.
    var ratio: Double { zip(first, second).map { $0 / $1 }.median }

    /// Both medians in a unit, of which a second has so many.
    func detail(_ unit: String, _ perSecond: Double, digits: Int = 0) -> String {
        "\((first.median * perSecond).text(digits)) \(unit), \((second.median * perSecond).text(digits)) \(unit)"
    }
}

extension [Double] {
    var median: Double {
        guard !isEmpty else { return .nan }
        let sorted = sorted()
        return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
    }
}

extension Double {
    /// This number with so many digits after the point.
    func text(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}
