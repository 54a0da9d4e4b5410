import Groundwork

/// The library that delays the threads of a run, and how a run loads it. Only Linux has it.
struct Delays {
    #if os(Linux)
        static let source = PackageResources.delays_c
    #else
        static let source: [UInt8] = []
    #endif

    let folder: String
    private var library: String { "\(folder)/delays.so" }
    /// The file that a process makes when it begins to delay its threads.
    var sign: String { "\(folder)/delays" }

    /// Compiles the library with the clang of the toolchain on the PATH, unless that is done.
    func compile(in context: CommandContext) throws {
        guard access(library, F_OK) != 0 else { return }
        let path = context.environment["PATH"] ?? ""
        let swift = path.split(separator: ":").map { FilePath("\($0)/swift") }.first { access($0.path, X_OK) == 0 }
        // The `swift` on the PATH may be a link to the one of the toolchain.
        let compilers = [swift?.folder, swift?.target.folder].compactMap(\.self).map { "\($0)/clang" }
        guard let compiler = compilers.first(where: { access($0, X_OK) == 0 }) else {
            throw NoTests(description: "there is no clang beside the swift on the PATH", isOfCondition: true)
        }
        let source = FilePath("\(folder)/delays.c")
        try source.replace(with: Self.source, by: "\(source.path).new")
        let compilation = [compiler, "-O1", "-shared", "-fPIC", "-o", library, source.path]
        let (output, isFine) = context.run(compilation, hasErrors: true)
        if isFine { return }
        let reason = String(decoding: output, as: UTF8.self).split(separator: "\n").last ?? ""
        throw NoTests(description: "\(compiler) cannot compile the delays: \(reason)", isOfCondition: true)
    }

    /// The variables with which a run loads the library. What the user preloads comes first, as sanitizers demand.
    ///
    /// - Parameter turn: Rare long delays and frequent short ones, which find different flakes, take turns.
    func environment(turn: Int, preloaded: String?) -> [String: String] {
        [
            "LD_PRELOAD": [preloaded ?? "", library].filter { !$0.isEmpty }.joined(separator: ":"),
            "RETRIES_DELAYS": "\(turn.isMultiple(of: 2) ? "1,20000" : "5,5000"),\(sign)",
        ]
    }
}
