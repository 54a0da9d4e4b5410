/// The load of the machine at one moment.
package struct MachineLoad: Hashable, Codable, Sendable {
    /// The seconds by which a sleep ended late: the thread pool is full, or the machine busy.
    package var late: Double
    /// The number of processors that the process used, without the measurement itself: its other tests.
    package var own: Double
    /// The time of a computation over its processor time, or the threads that want to run over the processors, if that is more:
    /// 1 on a machine with a processor to spare.
    package var slowdown: Double

    package init(late: Double, own: Double, slowdown: Double) {
        func rounded(_ value: Double) -> Double { (value.roundedForReport * 1000).rounded() / 1000 }
        (self.late, self.own, self.slowdown) = (rounded(late), rounded(own), rounded(slowdown))
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        (late, own, slowdown) = (try values.number(.late), try values.number(.own), try values.number(.slowdown))
    }

    /// The reason why a wait may have starved, to follow "flaked"; `nil` if the machine was quiet. A report does not hold
    /// the number of processors.
    package func cause(processors: Int? = nil) -> String? {
        let used = (own * 10).rounded() / 10
        if own >= processors.map({ Double($0) / 4 }) ?? 1 {
            return "while the tests of its process used \(used)\(processors.map { " of \($0)" } ?? "") processors"
        }
        if slowdown >= 1.3 { return "while others used the machine" }
        return late >= 0.008 ? "while its sleeps ended late" : nil
    }
}
