/// Something that a command needs and that is not there: a file, a folder, a report that is new enough.
struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
