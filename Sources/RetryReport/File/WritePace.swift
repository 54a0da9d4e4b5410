import Dispatch

/// When a file may be written that need not be: so that all such writing takes a twentieth of the time at most.
struct WritePace {
    private var began: UInt64 = 0
    private var ended: UInt64 = 0

    mutating func begin() {
        began = DispatchTime.now().uptimeNanoseconds
    }

    mutating func end() {
        ended = DispatchTime.now().uptimeNanoseconds
    }

    var isTime: Bool {
        DispatchTime.now().uptimeNanoseconds - ended > (ended - began) * 20
    }
}
