/// The sections that the current task is in: what decides where a failure belongs.
///
/// Tasks made inside a section inherit it, detached ones do not. Without a task, it is bound to the thread. Only numbers
/// are bound, because a section that passes should cost next to nothing; the attempt knows what they stand for.
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
