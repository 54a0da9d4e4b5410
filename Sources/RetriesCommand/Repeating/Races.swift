import Foundation
import Groundwork

/// The data races of a package that the thread sanitizer reports in the outputs of runs.
enum Races {
    /// A sentence for each race, such as `a data race: Cart.add() in Sources/Shop/Cart.swift and …`.
    ///
    /// - Parameter folder: The package. A report that names no function of it is left out.
    static func sentences(in outputs: [[UInt8]], folder: String) -> [String] {
        let path = NSRegularExpression.escapedPattern(for: folder)
        let frame = "^ *#\\d+ (\\S+) \(path)/(?!\\.build/)([^:\\s]+)"
        let reports = outputs.flatMap {
            String(decoding: $0, as: UTF8.self).components(separatedBy: "WARNING: ThreadSanitizer: ").dropFirst()
        }
        // The stacks of both accesses come first. Those that follow show where a thread or the memory was made.
        let races = reports.map {
            $0.components(separatedBy: "\n\n").prefix(2).compactMap { $0.matches(of: frame).first }
        }
        let names = demangled(Set(races.joined().map { $0[0] }).sorted())
        let sentences = races.filter { !$0.isEmpty }.map { race in
            let places = Set(race.map { "\(names[$0[0], default: $0[0]]) in \($0[1])" }).sorted()
            return "a data race: \(places.joined(separator: " and "))"
        }
        return Set(sentences).sorted()
    }

    /// The demangled names of functions, from the toolchain's own tool; none if it is missing.
    private static func demangled(_ functions: [String]) -> [String: String] {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["swift", "demangle", "--compact"] + functions
        process.standardOutput = pipe
        // An error is no reason to show no race: its functions are then shown as the sanitizer names them.
        guard !functions.isEmpty, (try? process.run()) != nil else { return [:] }
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let names = output.split(separator: "\n").map(String.init)
        return names.count == functions.count ? Dictionary(uniqueKeysWithValues: zip(functions, names)) : [:]
    }
}
