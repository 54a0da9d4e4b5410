import Foundation

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

    /// The innermost function of the package in a stack, whose frames are `#0 Cart.add() /shop/Sources/Shop/Cart.swift:4:31 …`.
    private static func place(inStack stack: String, folder: String) -> String? {
        stack.split(separator: "\n").lazy.compactMap { line -> String? in
            let frame = line.split(separator: " ", maxSplits: 1)
            guard frame.count == 2, frame[0].hasPrefix("#"),
                let root = frame[1].range(of: " \(folder)/", options: .backwards)
            else { return nil }
            let file = frame[1][root.upperBound...].prefix { $0 != ":" && !$0.isWhitespace }
            guard !file.isEmpty, !file.hasPrefix(".build/") else { return nil }
            return "\(frame[1][..<root.lowerBound]) in \(file)"
        }.first
    }
}
