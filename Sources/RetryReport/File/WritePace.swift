import Dispatch

/// When a file may be written that need not be: so that all such writing takes a fiftieth of the time at most.
struct WritePace {
    private var began: UInt64 = 0
    private var ended: UInt64 = 0

    mutating func begin(at time: UInt64 = now) {
        began = time
    }

    mutating func end(at time: UInt64 = now) {
        ended = time
    }

    func isTime(at time: UInt64 = now) -> Bool {
        time - ended > (ended - began) * 50
    }

    /// In nanoseconds, on a clock that only goes forward.
    static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }
}
