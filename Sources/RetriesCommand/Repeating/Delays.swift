import Groundwork

/// The library that delays the threads of a run, and how a run loads it. Only Linux has it.
enum Delays {
    #if os(Linux)
        static let source = PackageResources.delays_c
    #else
        static let source: [UInt8] = []
    #endif

    /// The clang of the toolchain on the PATH; `nil` if there is none.
    static func compiler(path: String) -> String? {
        let swift = path.split(separator: ":").map { FilePath("\($0)/swift") }.first { access($0.path, X_OK) == 0 }
        // The `swift` on the PATH may be a link to it.
        let folders = [swift?.folder, swift?.target.folder].compactMap(\.self)
        return folders.map { "\($0)/clang" }.first { access($0, X_OK) == 0 }
    }

    /// Adds the library to what a run preloads. What the user preloads comes first, as sanitizers demand.
    ///
    /// - Parameter turn: Rare long delays and frequent short ones, which find different flakes, take turns.
    static func load(_ library: String, sign: String, turn: Int, in environment: inout [String: String]) {
        let preloaded = [environment["LD_PRELOAD"] ?? "", library].filter { !$0.isEmpty }
        environment["LD_PRELOAD"] = preloaded.joined(separator: ":")
        environment["RETRIES_DELAYS"] = "\(turn.isMultiple(of: 2) ? "1,20000" : "5,5000"),\(sign)"
    }
}
