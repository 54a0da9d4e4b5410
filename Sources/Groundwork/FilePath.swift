import Foundation

/// A path, its parts, and the file at it, which is read and replaced as a whole.
package struct FilePath: Hashable, Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    package var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    package var name: String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// The kind of what stands at this path, such as `S_IFREG`; `nil` if there is nothing. Links are followed.
    package var kind: mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// When the content of the file was changed last; `nil` if that cannot be known, as of one that is gone.
    package var lastChange: Date? {
        try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    }

    /// This path from a folder that it lies under; the path itself if it does not. Nothing is relative to `/`, where apps start.
    package func relative(to folder: String) -> String {
        let prefix = folder.hasSuffix("/") ? folder : folder + "/"
        return path.hasPrefix(prefix) && path != prefix && prefix != "/" ? String(path.dropFirst(prefix.count)) : path
    }

    /// The nearest folder, from this path upwards, that holds something of this name; `nil` if none does.
    package func nearestFolder(holding name: String) -> String? {
        var folder = path
        while access("\(folder)/\(name)", F_OK) != 0 {
            let above = FilePath(folder).folder
            guard above != folder else { return nil }
            folder = above
        }
        return folder
    }

    /// Whether it stands for what a process has open, such as `/dev/stdout`. That may be a log, which must not be replaced.
    package var isStream: Bool { ["/dev/std", "/dev/fd/", "/proc/"].contains(where: path.hasPrefix) }

    /// The number in a path such as `/dev/fd/3`.
    package var descriptor: Int32? { folder == "/dev/fd" ? Int32(name) : nil }

    /// The path at the end of a chain of symbolic links; nothing need exist there.
    package var target: FilePath {
        var path = path
        for _ in 0..<40 {  // as many as Linux follows
            // An error means that there is no link.
            guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            path = link.hasPrefix("/") ? link : "\(FilePath(path).folder)/\(link)"
        }
        return FilePath(path)
    }

    package func read() throws(SystemError) -> [UInt8] {
        try Descriptor.withFile(at: path, O_RDONLY) { (file) throws(SystemError) in try file.readAll() }
    }

    /// The text of the file, such as one in `/proc`; `nil` if it cannot be read.
    package func readText() -> String? {
        (try? read()).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Makes a folder at this path, and those above it, unless they are there.
    package func makeFolder() throws(SystemError) {
        if kind == S_IFDIR { return }
        let above = FilePath(folder)
        if above != self { try above.makeFolder() }
        guard mkdir(path, 0o777) != 0 else { return }
        let error = SystemError.last
        if kind != S_IFDIR { throw error }  // another process may have made it
    }

    /// Replaces the file at this path, or creates it.
    ///
    /// A reader finds either the old or the new one, whole. Permissions stay.
    ///
    /// - Parameter spare: A path in the same folder, where the new file is written first.
    package func replace(with bytes: [UInt8], by spare: String) throws(SystemError) {
        var before = stat()
        let permissions = stat(path, &before) == 0 ? before.st_mode & 0o777 : nil
        unlink(spare)  // a killed process may have left one
        do throws(SystemError) {
            try Descriptor.withFile(at: spare, O_WRONLY | O_CREAT | O_EXCL) { (file) throws(SystemError) in
                if let permissions, fchmod(file.number, permissions) != 0 { throw .last }
                try file.writeAll(bytes)
            }
            guard rename(spare, path) == 0 else { throw SystemError.last }
        } catch {
            unlink(spare)
            throw error
        }
    }
}
