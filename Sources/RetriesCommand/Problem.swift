/// What a command needs and cannot have: a file, a folder, a report that is new enough.
struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
