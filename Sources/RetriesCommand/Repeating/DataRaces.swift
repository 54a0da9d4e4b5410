import Foundation
import Groundwork

/// The data races of a package that the thread sanitizer reports.
enum DataRaces {
    /// Returns a sentence for each race in demangled `output` that names a function of the package in `folder`, such as
    /// `a data race: Cart.add() in Sources/Shop/Cart.swift and …`.
    static func sentences(in output: [UInt8], folder: String) -> [String] {
        let reports = String(decoding: output, as: UTF8.self).components(separatedBy: "WARNING: ThreadSanitizer: ")
        return reports.dropFirst().compactMap { report in
            // The stacks of the two accesses come first. Later ones show where a thread or the memory was created.
            let accesses = report.components(separatedBy: "\n\n").prefix(2)
            let places = Set(accesses.compactMap { place(inStack: $0, folder: folder) }).sorted()
            return places.isEmpty ? nil : "a data race: \(places.joined(separator: " and "))"
        }
    }

    /// A function and its file: `#0 Cart.add() /shop/Sources/Shop/Cart.swift:4:31 (…)`.
    private static let frame = LinePattern(#"^ *#\d+ (.+) (/.+?)(?::\d| \(|$)"#)

    /// The innermost function of the package in a stack.
    private static func place(inStack stack: String, folder: String) -> String? {
        frame.groups(in: stack).lazy.compactMap { parts in
            let file = FilePath(parts[1]).relative(to: folder)
            // The package's dependencies lie in the scratch folder of the working directory, which may be inside the package.
            return file.hasPrefix("/") || "/\(file)".contains("/.build/") ? nil : "\(parts[0]) in \(file)"
        }.first
    }
}
