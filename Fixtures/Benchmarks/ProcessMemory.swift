import Foundation

/// How much memory this process has, in bytes.
struct ProcessMemory {
    var current: Int
    var peak: Int

    /// As Linux tells it; on other systems all is 0.
    static var now: ProcessMemory {
        let lines = FileManager.default.contents(atPath: "/proc/self/status").map {
            String(decoding: $0, as: UTF8.self)
        }
        func value(_ key: String) -> Int {
            let line = (lines ?? "").split(separator: "\n").first { $0.hasPrefix(key) }
            return (line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) } ?? 0)
                * 1024
        }
        return ProcessMemory(current: value("VmRSS:"), peak: value("VmHWM:"))
    }
}
