/// How paths of source files are shown.
package enum SourcePath {
    /// `path`, relative to `directory` if it lies under it.
    package static func relative(_ path: String, to directory: String) -> String {
        let prefix = directory.hasSuffix("/") ? directory : directory + "/"
        return path.hasPrefix(prefix) && path.count > prefix.count ? String(path.dropFirst(prefix.count)) : path
    }
}
