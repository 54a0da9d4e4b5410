import Groundwork

/// Gives two files each other's names, so that the second's name stands for one of them at every moment.
enum NameSwap {
    /// Gives the file `path` the name `shown`, and the file of that name the name `path`.
    ///
    /// - Parameters:
    ///   - path: The path of one file.
    ///   - shown: The path of the other, at which there is one of the two at every moment.
    ///   - aside: A path that is free to use, for systems that cannot do it at once.
    ///   - atOnce: Does it at once; `false` if it is refused, as by file systems over a network.
    /// - Returns: Whether both have new names. If not, only the first has: some file systems have no hard links either.
    static func swap(
        _ path: String,
        _ shown: String,
        aside: String,
        atOnce: (String, String) -> Bool = exchange
    ) throws(SystemError) -> Bool {
        if atOnce(path, shown) { return true }
        unlink(aside)
        let hasTwoNames = link(shown, aside) == 0
        guard rename(path, shown) == 0 else { throw .last }
        return hasTwoNames && rename(aside, path) == 0
    }

    /// Asks the system to do it at once, which is several calls less for each record, and does not make it write the file
    /// to the disk there and then, as giving a file the name of another does on some file systems.
    static func exchange(_ first: String, _ second: String) -> Bool {
        #if os(Linux)
            return renameat2?(AT_FDCWD, first, AT_FDCWD, second, 1 << 1) == 0  // RENAME_EXCHANGE
        #else
            return false
        #endif
    }

    #if os(Linux)
        private typealias Renameat2 =
            @convention(c) @Sendable (CInt, UnsafePointer<CChar>, CInt, UnsafePointer<CChar>, CUnsignedInt) -> CInt

        /// Looked up by name: the module map lacks it, and so may the C library.
        private static let renameat2: Renameat2? = dlsym(nil, "renameat2").map { symbol in
            unsafeBitCast(symbol, to: Renameat2.self)
        }
    #endif
}
