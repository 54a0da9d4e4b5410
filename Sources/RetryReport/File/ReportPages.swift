import Groundwork

/// A report's file. Whoever opens it finds a whole report, and it stays whole for as long as they read.
///
/// To write the whole file again for each record takes time that grows with the square of their number. So there are two
/// files: the one under the report's name, and a spare one that nobody knows of. A record is appended to the spare one,
/// which then takes the other's name, and the other is the spare one. One that somebody still reads from the time when it
/// had the report's name is not touched, but replaced by a copy.
struct ReportPages {
    let file: DiskFile
    private let sparePath: String
    private let asidePath: String
    /// What was last put in place.
    private var shown: OpenFile?
    private(set) var shownVersion: DiskFile.Version?
    private var spare: (file: OpenFile, version: DiskFile.Version)?
    /// What the spare file lacks.
    private var missing: [[UInt8]] = []

    init(file: DiskFile) {
        self.file = file
        sparePath = "\(file.folder)/.\(file.name).new"
        asidePath = "\(file.folder)/.\(file.name).old"
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
            let (page, size) = try page(likeThatOf: shown, shownVersion)
            let text = ReportText.continuation(of: missing + [record])
            try page.write(text, at: size - ReportText.tail.count)
            let version = try page.version
            let isSwapped = try NameSwap.swap(sparePath, file.path, aside: asidePath)
            spare = isSwapped ? (shown, shownVersion) : nil
            self.shown = page
            self.shownVersion = version
            missing = [record]
        } catch {
            spare = nil
            unlink(sparePath)
            throw error
        }
    }

    /// The spare file, if nobody else has or had a hand on it, or a new one; and how long it is.
    private mutating func page(
        likeThatOf shown: OpenFile,
        _ version: DiskFile.Version
    ) throws(SystemError) -> (file: OpenFile, size: Int) {
        if let spare, spare.file.isOpenHereOnly, try DiskFile(path: sparePath).version == spare.version {
            return (spare.file, spare.version.size)
        }
        let copy = try OpenFile(creating: sparePath, permissions: version.permissions)
        try copy.write(contentsOf: shown)
        missing = []
        return (copy, version.size)
    }
}
