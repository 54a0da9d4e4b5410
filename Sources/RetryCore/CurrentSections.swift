/// The sections that the current task is in, which decide which section a failure belongs to.
///
/// Tasks made inside a section inherit it, detached ones do not. Where there is no task, the value is bound to the
/// thread. Only the sections' numbers are bound, so that a section that passes costs little; the attempt has the
/// sections by number.
package enum CurrentSections {
    /// The innermost section; 0 outside of all.
    @TaskLocal static var innermost: UInt64 = 0

    /// The sections around the innermost, from the inside out.
    @TaskLocal static var around: [UInt64] = []

    /// All sections that the task is in, innermost first.
    static var all: [OpenSection.ID] {
        let innermost = innermost
        return innermost == 0 ? [] : [innermost] + around
    }

    /// Runs `body` outside of all sections.
    package static func none<Result>(_ body: () throws -> Result) rethrows -> Result {
        try $innermost.withValue(0, operation: body)
    }
}
