/// The two versions of a file between which tests are new or changed; either may have no declarations.
struct FileChange {
    /// The path of the new version.
    let path: String
    let old, new: [SwiftDeclaration]

    /// The tests in the new versions that are new or changed, or that rely on what is. A test that was only moved is neither.
    /// They are followed by changed heads of types and changed `setUp` and the like, which stand for all tests of their types.
    static func changedTests(in files: [FileChange]) -> [(test: SwiftDeclaration, path: String)] {
        let gone = files.flatMap(\.gone)
        // Members of a protocol are used through other types.
        let types = { (all: [SwiftDeclaration]) in
            Set(all.filter { $0.key.kind == .typeHead && !$0.words.contains("protocol") }.map(\.key.path))
        }
        let (before, now) = (types(files.flatMap(\.old)), types(files.flatMap(\.new)))
        let (goneTypes, newTypes) = (before.subtracting(now), now.subtracting(before))
        let moved = Set(files.flatMap { file in file.gone.map { $0.content(in: file.old, renamed: goneTypes) } })
        return files.flatMap { file in
            file.changedTests(gone: gone, moved: moved, newTypes: newTypes).map { ($0, file.path) }
        }
    }

    /// What stood in the old version and may now stand elsewhere. What runs with each test moves only with its whole type.
    private var gone: [SwiftDeclaration] {
        let keys = Set(new.map(\.key))
        return old.filter { $0.runsUnnamed ? !isTypeLeft(of: $0) : !keys.contains($0.key) }
    }

    private func isTypeLeft(of declaration: SwiftDeclaration) -> Bool {
        new.contains { $0.key.path == declaration.key.path }
    }

    private func changedTests(
        gone: [SwiftDeclaration],
        moved: Set<[String]>,
        newTypes: Set<[String]>
    ) -> [SwiftDeclaration] {
        let before = Dictionary(grouping: old, by: \.key).mapValues { $0.map(\.code) }
        let now = Dictionary(grouping: new, by: \.key)
        let oldNames = Set((old + gone).flatMap(\.names)), oldWords = oldNames.union(old.flatMap(\.words))
        let testTypes = Set(new.filter(\.isTest).map(\.key.path))
        let oldPaths = Set(old.map(\.key.path))
        let unnamed = Set((old + new).filter(\.runsUnnamed).map(\.key))
        var chosen = Set<SwiftDeclaration.Key>(), types = Set<[String]>(), names = Set<String>(), isForAll = false
        var newHeads = Set<SwiftDeclaration.Key>()

        func mark(_ declaration: SwiftDeclaration) {
            let path = declaration.key.path
            chosen.insert(declaration.key)
            guard !declaration.isTest else { return }
            var own = declaration.names
            let isHelperType = !testTypes.contains(path)
            let isHelper = declaration.key.kind == .helper && (isHelperType || !unnamed.contains(declaration.key))
            // A base class, or a protocol's extension, may use one that only some tests name.
            let isWitness = !isHelperType && declaration.mayBeWitness
            if !isHelper || isWitness || unnamed.contains(declaration.key) { types.insert(path) }
            // Whoever makes a value of a type uses the defaults of its properties without their names.
            let isMade = declaration.isStoredWithDefault || unnamed.contains(declaration.key)
            let isUnnamed = declaration.mayBeWitness || isMade
            if !isHelper || isHelperType && isUnnamed, let type = path.last { own.insert(type) }
            // `.init(seed: 3)` and `[Int](seed: 3)` do not name the type.
            let isKnownInit = isHelperType && declaration.isInit && before[declaration.key] != nil
            let labels = declaration.key.name.dropFirst("init(".count).split { ":)".contains($0) }.filter { $0 != "_" }
            let visible = isKnownInit ? Set(labels.map(String.init)) : own
            names.formUnion(own.union(visible))
            // What nobody names, such as a subscript or an operator, any test of the file may use.
            let isNamed = new.contains { other in
                let isOther = other.key != declaration.key && other.names.isDisjoint(with: declaration.names)
                return isOther && !visible.isDisjoint(with: other.words)
            }
            if isHelper && now[declaration.key] != nil || isKnownInit, !isNamed { isForAll = true }
            // One that is static and only names what changed is used by its name, as a trait is.
            let isReached = before[declaration.key] == now[declaration.key]?.map(\.code)
            let isUsed = !isReached || !declaration.words.contains("static")
            if isHelper, declaration.mayBeOfProtocol, isUsed, before[declaration.key] != nil { isForAll = true }
        }

        for (key, declarations) in now where before[key] != declarations.map(\.code) {
            // What is new cannot be meant by a test that is not, unless it stands for something of the same name, or others
            // call it. What is in a new type stands for nothing, unless that hides a type of its name or adds an operator. A type
            // that is new or renamed is no change of the tests in it.
            let isHiding = !oldWords.isDisjoint(with: key.path.suffix(1))
            let isOfNewType = newTypes.contains(key.path) && !isHiding && !key.isOperator
            let isUnused = declarations.allSatisfy { declaration in
                let isNamed = !oldNames.isDisjoint(with: declaration.names) || declaration.words.contains("override")
                let isMeant = isNamed && !isOfNewType
                let isUnnamed = declaration.mayBeWitness || declaration.runsUnnamed
                let mayBeCalled = isUnnamed && oldPaths.contains(key.path)
                return key.kind == .typeHead || key.kind == .helper && !isMeant && !mayBeCalled
            }
            func isMoved(_ part: SwiftDeclaration) -> Bool { moved.contains(part.content(in: new, renamed: newTypes)) }
            if before[key] == nil, declarations.allSatisfy(isMoved) { continue }
            if before[key] != nil || !isUnused {
                declarations.forEach(mark)
                continue
            }
            let isType = key.kind == .typeHead, outer = isType ? Array(key.path.dropLast()) : key.path
            if isType { newHeads.insert(key) }
            // A type may hide an imported one, or be what the type around it has to have, such as `CodingKeys`.
            if !newTypes.contains(outer), isType || declarations.contains(where: \.isTypealias) {
                names.formUnion(oldWords.intersection(declarations.flatMap(\.names)))
            }
            if isType, declarations.contains(where: \.mayBeWitness), !testTypes.contains(outer) {
                names.formUnion(oldPaths.contains(outer) ? outer.suffix(1) : [])
            }
        }
        old.filter { $0.runsUnnamed && now[$0.key] == nil && isTypeLeft(of: $0) }.forEach(mark)
        while let next = new.first(where: { !chosen.contains($0.key) && !names.isDisjoint(with: $0.words) }) {
            mark(next)
        }
        var seen = Set<SwiftDeclaration.Key>()
        let tests = new.filter { declaration in
            let isInChosenType = types.contains { declaration.key.path.starts(with: $0) }
            return declaration.isTest && (isForAll || chosen.contains(declaration.key) || isInChosenType)
                && seen.insert(declaration.key).inserted
        }
        return tests
            + new.filter { declaration in
                let (key, isHead) = (declaration.key, declaration.key.kind == .typeHead)
                if newHeads.contains(key) { return declaration.isOfInheritingClass }
                let isChosen = isHead ? types.contains(key.path) : key.kind == .lifecycle && chosen.contains(key)
                return isChosen && oldPaths.contains(key.path)
            }
    }
}

extension SwiftDeclaration {
    /// What it is apart from the types that it is in. Of a head, with what its type has besides tests. Of a test, and of what
    /// others may use without its name, with the types around the ones that were renamed. Of a test, with their heads, with what
    /// runs with it there, and with what it names there and what is private to the file.
    fileprivate func content(in file: [SwiftDeclaration], renamed: Set<[String]>) -> [String] {
        var around: [SwiftDeclaration] = [], words = words
        var rest = isTest ? file.filter { $0.isNotForOtherFiles && key.path.starts(with: $0.key.path) } : []
        while let index = rest.firstIndex(where: { $0.runsWithTests || !$0.names.isDisjoint(with: words) }) {
            words.formUnion(rest[index].words)
            around.append(rest.remove(at: index))
        }
        if key.kind == .typeHead {
            around = file.filter { !$0.isTest && $0.key != key && $0.key.path.starts(with: key.path) }
        }
        let place = key.path.indices.first { renamed.contains(Array(key.path[...$0])) } ?? key.path.count
        let types = isTest || mayBeWitness ? key.path.prefix(place).joined(separator: ".") : ""
        return ["\(key.kind)", types, key.name, code] + around.map(\.code).sorted()
    }

    /// Whether it runs for each test, or for each value of its type, without being named.
    fileprivate var runsUnnamed: Bool { key.kind == .lifecycle || computesFirstValue }

    fileprivate var isInit: Bool { key.kind == .lifecycle && key.name.hasPrefix("init(") }

    /// Whether another file may have its own of this name, or none.
    private var isNotForOtherFiles: Bool { !key.path.isEmpty || !words.isDisjoint(with: ["private", "fileprivate"]) }

    /// Whether it is a head with more than a name, or what runs with each test.
    private var runsWithTests: Bool {
        runsUnnamed || mayBeWitness || key.kind == .typeHead && code.contains { "@:".contains($0) }
    }
}
