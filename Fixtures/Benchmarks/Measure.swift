import Dispatch
import Foundation

/// How long `body` takes, in seconds.
func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = DispatchTime.now().uptimeNanoseconds
    try body()
    return Double(DispatchTime.now().uptimeNanoseconds - start) / 1_000_000_000
}

/// The processor's time that this process has had so far, in seconds.
///
/// Whole runs are compared by it: it has less of what else goes on.
var processorTime: Double {
    var time = timespec()
    guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return .nan }
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
}

/// How much of the processor's time `body` takes, in seconds.
func processorSeconds(_ body: () throws -> Void) rethrows -> Double {
    let start = processorTime
    try body()
    return processorTime - start
}

/// Two things measured in turn, each time in the other order, so that what disturbs one disturbs both.
struct Pair {
    private(set) var first: [Double] = []
    private(set) var second: [Double] = []

    init(rounds: Int, _ measureFirst: () throws -> Double, _ measureSecond: () throws -> Double) rethrows {
        _ = try measureFirst()  // warms both up
        _ = try measureSecond()
        for round in 0..<rounds {
            if round.isMultiple(of: 2) {
                first.append(try measureFirst())
                second.append(try measureSecond())
            } else {
                second.append(try measureSecond())
                first.append(try measureFirst())
            }
        }
    }

    /// The same with what suspends.
    init(rounds: Int, _ measureFirst: () async -> Double, _ measureSecond: () async -> Double) async {
        _ = await measureFirst()
        _ = await measureSecond()
        for round in 0..<rounds {
            if round.isMultiple(of: 2) {
                first.append(await measureFirst())
                second.append(await measureSecond())
            } else {
                second.append(await measureSecond())
                first.append(await measureFirst())
            }
        }
    }

    init(_ first: [Double], _ second: [Double]) {
        self.first = first
        self.second = second
    }

    /// The median of the rounds' ratios.
    var ratio: Double { zip(first, second).map { $0 / $1 }.median }
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
