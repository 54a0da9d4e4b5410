import Foundation

/// The data races of a package that the thread sanitizer reports.
enum Races {
    /// A sentence for each race, such as `a data race: Cart.add() in Sources/Shop/Cart.swift and …`.
    ///
    /// - Parameters:
    ///   - output: The output of a run, with demangled names.
    ///   - folder: The package. A report that names no function of it is left out.
    static func sentences(in output: [UInt8], folder: String) -> [String] {
        let path = NSRegularExpression.escapedPattern(for: folder)
        let frame = "^ *#\\d+ (.+) \(path)/(?!\\.build/)([^:\\s]+)"
        let reports = String(decoding: output, as: UTF8.self).components(separatedBy: "WARNING: ThreadSanitizer: ")
        return reports.dropFirst().compactMap { report in
            // The stacks of both accesses come first. Those that follow show where a thread or the memory was made.
            let accesses = report.components(separatedBy: "\n\n").prefix(2).compactMap { $0.matches(of: frame).first }
            let places = Set(accesses.map { "\($0[0]) in \($0[1])" }).sorted()
            return places.isEmpty ? nil : "a data race: \(places.joined(separator: " and "))"
        }
    }
}
