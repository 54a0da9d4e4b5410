/// A path, its parts, and how the file at it is replaced.
package struct FilePath: Hashable, Sendable {
    package let path: String

    package init(_ path: String) {
        self.path = path
    }

    package var folder: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    package var name: String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// The path at the end of a chain of symbolic links, whether or not something stands there.
    package var target: FilePath {
        var path = path
        for _ in 0..<40 {  // as many as Linux follows
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &buffer, buffer.count)
            guard count > 0 else { break }
            let link = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
            path = link.hasPrefix("/") ? link : "\(FilePath(path).folder)/\(link)"
        }
        return FilePath(path)
    }

    /// Replaces the file at this path, or creates it, so that a reader finds either the old or the new one, whole.
    /// Permissions stay.
    ///
    /// - Parameter spare: A path in the same folder, where the new file is written first.
    package func replace(with bytes: [UInt8], by spare: String) throws(SystemError) {
        var before = stat()
        let permissions = stat(path, &before) == 0 ? before.st_mode & 0o777 : nil
        unlink(spare)  // what a process that died has left
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
