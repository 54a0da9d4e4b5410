#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A report's file. Whoever opens it finds a whole report, and it stays whole for as long as they read.
///
/// To write the whole file again for each record takes time that grows with the square of their number. So there are two
/// files: the one under the report's name, and a spare one that nobody knows of. A record is appended to the spare one,
/// which then takes the other's name, and the other is the spare one. One that somebody still reads from the time when it
/// had the report's name is not touched, but replaced by a copy.
struct ReportPages {
    let file: DiskFile
    /// What was last put in place.
    private var shown: OpenFile?
    private(set) var shownVersion: DiskFile.Version?
    private var spare: OpenFile?
    /// What the spare file lacks.
    private var missing: [[UInt8]] = []

    init(file: DiskFile) {
        self.file = file
    }

    /// Puts a text in the file's place.
    ///
    /// - Parameters:
    ///   - isLocked: Whether the file is this process's alone.
    ///   - text: Writes the text.
    mutating func replace(isLocked: Bool, with text: (inout JSONWriter) -> Void) throws(SystemError) {
        spare = nil
        let permissions = try file.version?.permissions
        // With a lock, all processes share one name, so that nothing is left if one of them dies: the next one writes over
        // it. Without, each has its own.
        let path = isLocked ? sparePath : "\(sparePath).\(getpid())"
        do throws(SystemError) {
            let new = try OpenFile(creating: path, permissions: permissions)
            try new.write(json: text)
            let version = try new.version
            guard rename(path, file.path) == 0 else { throw SystemError.last }
            // Is there only if a process died between one name and the other.
            if isLocked { unlink(asidePath) }
            shown = new
            shownVersion = version
        } catch {
            unlink(path)
            throw error
        }
    }

    /// Appends a record to a report that has one. Only under the lock, and if nobody has replaced the file since.
    mutating func append(_ record: [UInt8]) throws(SystemError) {
        guard let shown, let shownVersion else { return }
        do throws(SystemError) {
            let page = try page(likeThatOf: shown, shownVersion)
            let text = ReportText.continuation(of: missing + [record])
            try page.write(text, at: try page.version.size - ReportText.tail.count)
            let version = try page.version
            spare = try swapNames() ? shown : nil
            self.shown = page
            self.shownVersion = version
            missing = [record]
        } catch {
            spare = nil
            unlink(sparePath)
            throw error
        }
    }

    /// The spare file, or a new one.
    private mutating func page(
        likeThatOf shown: OpenFile,
        _ version: DiskFile.Version
    ) throws(SystemError) -> OpenFile {
        if let spare, spare.isOpenHereOnly,
            let named = try DiskFile(path: sparePath).version, try named.isSameFile(as: spare.version)
        {
            return spare
        }
        let copy = try OpenFile(creating: sparePath, permissions: version.permissions)
        try copy.write(contentsOf: shown)
        missing = []
        return copy
    }

    /// Gives the spare file the report's name and the report's file the spare one's, so that the report's name stands for
    /// one of them at every moment. `false` if only the first was possible: some file systems have no hard links.
    private func swapNames() throws(SystemError) -> Bool {
        unlink(asidePath)
        let hasTwoNames = link(file.path, asidePath) == 0
        guard rename(sparePath, file.path) == 0 else { throw .last }
        return hasTwoNames && rename(asidePath, sparePath) == 0
    }

    private var sparePath: String { "\(file.folder)/.\(file.name).new" }
    private var asidePath: String { "\(file.folder)/.\(file.name).old" }
}
