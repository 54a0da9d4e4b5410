/// The two versions of a file between which tests are new or changed; either may have no declarations.
struct FileChange {
    /// The path of the new version.
    let path: String
    let old, new: [SwiftDeclaration]

    /// Returns the tests of the new versions that are new or changed, or that rely on what is new, changed or gone.
    ///
    /// A test that was only moved is not among them. After them come the heads of types, `setUp` and what else stands for all tests
    /// of its type, also for those of other files.
    static func changedTests(in files: [FileChange]) -> [(test: SwiftDeclaration, path: String)] {
        let before = Version(files.map { (own: $0.old, other: $0.new) })
        let now = Version(files.map { (own: $0.new, other: $0.old) })
        let moved = before.contents.intersection(now.contents)
        return files.flatMap { file in file.changedTests(before, now, moved: moved).map { ($0, file.path) } }
    }

    /// The old or the new version of all files together.
    private struct Version {
        /// The types that the other version does not have. Not protocols, whose members are used through other types.
        let ownTypes: Set<[String]>
        let paths: Set<[String]>
        /// The names and contents of what the same file does not have in the other version, where another file may have it.
        private(set) var names: Set<String> = [], contents: Set<[String]> = []

        init(_ files: [(own: [SwiftDeclaration], other: [SwiftDeclaration])]) {
            func types(_ all: [SwiftDeclaration]) -> Set<[String]> {
                Set(all.filter { $0.key.kind == .typeHead && !$0.words.contains("protocol") }.map(\.key.path))
            }
            ownTypes = types(files.flatMap(\.own)).subtracting(types(files.flatMap(\.other)))
            paths = Set(files.flatMap(\.own).map(\.key.path))
            for (own, other) in files {
                let keys = Set(other.map(\.key)), otherPaths = Set(other.map(\.key.path))
                for part in own {
                    // What runs with each test moves only with its whole type.
                    let isLeft = part.runsUnnamed ? otherPaths.contains(part.key.path) : keys.contains(part.key)
                    if isLeft { continue }
                    names.formUnion(part.names)
                    contents.insert(part.content(in: own, renamed: ownTypes))
                }
            }
        }
    }

    private func changedTests(_ before: Version, _ now: Version, moved: Set<[String]>) -> [SwiftDeclaration] {
        let testTypes = Set(new.filter(\.isTest).map(\.key.path))
        let unnamed = Set((old + new).filter(\.actsUnnamed).map(\.key))
        // All tests of `types` are chosen (of `[]`, those of the file), and everything that uses one of `names` is marked.
        var marked = Set<SwiftDeclaration.Key>(), types = Set<[String]>(), names = Set<String>()
        var newHeads = Set<SwiftDeclaration.Key>()

        /// Marks a declaration that has changed or, with `isChange` false, that uses one that has.
        func mark(_ part: SwiftDeclaration, isChange: Bool = true) {
            let (key, path) = (part.key, part.key.path)
            marked.insert(key)
            if part.isTest { return names.formUnion(part.names) }
            if unnamed.contains(key) { types.insert(path) }
            // Whoever makes a value uses the type's initializers and the defaults of its properties, and may write only `.init()`.
            let isMade = part.isStoredWithDefault || key.name.hasPrefix("init(")
            if isMade { names.insert("init") }
            let isUsedByType = isMade || unnamed.contains(key) || part.mayBeOfProtocol || part.isUsedByLanguage
            let visible = part.names.union(isUsedByType ? path.suffix(1) : [])
            // Another overload does not name this one.
            let others = new.filter { $0.key != key && $0.names.isDisjoint(with: part.names) }
            let isNamed = others.contains { !$0.words.isDisjoint(with: visible) }
            // Any test may use what nobody names, such as an operator or a subscript, and what other types have of this protocol.
            let isForAny = !isNamed && (isMade || key.kind == .helper)
            if isForAny || isChange && part.mayBeOfProtocol {
                types.insert(!key.isOperator && testTypes.contains { $0.starts(with: path) } ? path : [])
            }
            names.formUnion(isForAny ? visible.union(path.suffix(1)) : visible)
        }

        let codes = Dictionary(grouping: old, by: \.key).mapValues { $0.map(\.code) }
        for (key, parts) in Dictionary(grouping: new, by: \.key) {
            if let old = codes[key], old != parts.map(\.code) { parts.forEach { mark($0) } }
        }
        // The order of an enumeration's cases decides raw values, comparisons and `allCases`.
        for (path, cases) in Dictionary(grouping: new.filter(\.isCase), by: \.key.path) {
            let before = old.filter { $0.isCase && $0.key.path == path }.map(\.key)
            let common = cases.map(\.key).filter(before.contains)
            if common != before.filter(common.contains) { names.formUnion(path.suffix(1)) }
        }
        // What only one version has is marked if tests that both have may rely on it, or on what the other has in its place.
        let uses = { (parts: [SwiftDeclaration]) in Set(parts.flatMap { $0.names.union($0.words) }) }
        // What is new may stand for what another file no longer has. What is gone matters to its own file alone.
        for (own, keys, words, here, there) in [
            (new, Set(old.map(\.key)), before.names.union(uses(old)), now, before),
            (old, Set(new.map(\.key)), uses(new), before, now),
        ] {
            for part in own where !keys.contains(part.key) {
                if moved.contains(part.content(in: own, renamed: here.ownTypes)) { continue }
                let (path, isHead) = (part.key.path, part.key.kind == .typeHead)
                if isHead { newHeads.insert(part.key) }
                let outer = isHead ? path.dropLast() : path
                let isNamed = !words.isDisjoint(with: part.names)
                if part.isTest {
                    mark(part)
                    // An inherited one may run in the place of one that is gone.
                    if codes[part.key] != nil, part.words.contains("override") { types.insert(path) }
                } else if outer.place(ofOneIn: here.ownTypes) != nil && !part.key.isOperator {
                    continue  // The other version does not see into a type that it does not have.
                } else if isHead {
                    if isNamed { names.formUnion(part.names) }
                    // The type around it may have to have it, such as `CodingKeys`.
                    if part.mayBeWitness, there.paths.contains(outer) { names.formUnion(outer.suffix(1)) }
                } else if isNamed || part.actsUnnamed && there.paths.contains(path) {
                    mark(part, isChange: isNamed)
                }
            }
        }
        while let user = new.first(where: { !marked.contains($0.key) && !names.isDisjoint(with: $0.words) }) {
            mark(user, isChange: false)
        }

        var seen = Set<SwiftDeclaration.Key>()
        let tests = new.filter { part in
            part.isTest && (marked.contains(part.key) || types.contains { part.key.path.starts(with: $0) })
                && seen.insert(part.key).inserted
        }
        let forTypes = new.filter { part in
            let (key, isHead) = (part.key, part.key.kind == .typeHead)
            if newHeads.contains(key) { return part.isOfInheritingClass }
            return isHead ? types.contains(key.path) : !part.isTest && unnamed.contains(key) && marked.contains(key)
        }
        return tests + forTypes
    }
}

extension SwiftDeclaration {
    /// What tells whether it was only moved: its code, and what gives that its meaning.
    ///
    /// - For the head of a type: what its type has besides tests.
    /// - For a test: what it uses of its types and what is private to its file, and what runs with it.
    /// - For all: the types that it is in, up to the first that was renamed: in another one, its name may be somebody else's.
    fileprivate func content(in file: [SwiftDeclaration], renamed: Set<[String]>) -> [String] {
        var around: [SwiftDeclaration] = [], words = words
        // Another type in the same one may be renamed with that.
        let isNear = { (path: [String]) in path.isEmpty || path.first == key.path.first }
        var rest = isTest ? file.filter { $0.isNotForOtherFiles && isNear($0.key.path) } : []
        while let index = rest.firstIndex(where: { $0.runsWithTests || !$0.names.isDisjoint(with: words) }) {
            words.formUnion(rest[index].words)
            around.append(rest.remove(at: index))
        }
        if key.kind == .typeHead {
            around = file.filter { !$0.isTest && $0.key != key && $0.key.path.starts(with: key.path) }
        }
        let kept = key.path.prefix(key.path.place(ofOneIn: renamed) ?? key.path.count)
        return ["\(key.kind)", kept.joined(separator: "."), key.name, code]
            + around.filter { !$0.isCase }.map(\.code).sorted() + around.filter(\.isCase).map(\.code)
    }

    /// Whether others who name only its type may rely on it.
    fileprivate var actsUnnamed: Bool { key.kind != .helper || mayBeWitness || computesFirstValue }

    /// Whether the language itself calls it, for whoever has a value of its type.
    fileprivate var isUsedByLanguage: Bool {
        !names.isDisjoint(with: ["wrappedValue", "projectedValue", "callAsFunction", "dynamicallyCall"])
    }

    /// Whether it runs for each test, or for each value of its type, without being named.
    fileprivate var runsUnnamed: Bool { key.kind == .lifecycle || computesFirstValue }

    /// Whether another file may have its own of this name, or none.
    private var isNotForOtherFiles: Bool { !key.path.isEmpty || !words.isDisjoint(with: ["private", "fileprivate"]) }

    /// Whether it is a head with more than a name, or what runs with each test.
    private var runsWithTests: Bool {
        runsUnnamed || mayBeWitness || key.kind == .typeHead && code.contains { "@:".contains($0) }
    }
}

extension [String] {
    /// The place in this path of the outermost type that is one of `types`.
    fileprivate func place(ofOneIn types: Set<[String]>) -> Int? {
        indices.first { types.contains(Array(self[...$0])) }
    }
}
