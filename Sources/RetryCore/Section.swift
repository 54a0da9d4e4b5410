/// The code inside one `flaky(…) { }`, while it runs.
package final class Section: Sendable {
    package let mark: Flakiness
    package let file: StaticString
    package let line: UInt

    /// The section around this one, if there is one.
    let outer: Section?

    init(_ mark: Flakiness, file: StaticString, line: UInt) {
        self.mark = mark
        self.file = file
        self.line = line
        outer = Section.current
    }

    /// The innermost section that the current task is in: what decides where a failure belongs.
    ///
    /// Tasks made inside a section inherit it, detached ones do not. Without a task, it is bound to the thread.
    @TaskLocal package static var current: Section?

    package var place: Place { Place(file, line) }
}
