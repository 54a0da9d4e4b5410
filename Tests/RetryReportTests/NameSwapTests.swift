import Foundation
import TestSupport
import Testing

@testable import RetryReport

@Suite("Two files that swap names")
struct NameSwapTests {
    /// Whether the system does it at once, or has refused to.
    enum Way: CaseIterable {
        case atOnce, step

        func exchange(_ first: String, _ second: String) -> Bool {
            self == .atOnce && NameSwap.exchange(first, second)
        }
    }

    @Test("have each other's, however it is done, and whatever was left aside is gone", arguments: Way.allCases)
    func swap(way: Way) throws {
        try withFolder { folder in
            let (spare, shown, aside) = (path("spare", folder), path("shown", folder), path("aside", folder))
            for round in 1...3 {
                try Data("new \(round)".utf8).write(to: URL(fileURLWithPath: spare))
                try Data("old \(round)".utf8).write(to: URL(fileURLWithPath: shown))
                if way == .step { try Data("left".utf8).write(to: URL(fileURLWithPath: aside)) }
                #expect(try NameSwap.swap(spare, shown, aside: aside, atOnce: way.exchange))
                #expect(try String(contentsOfFile: shown, encoding: .utf8) == "new \(round)")
                #expect(try String(contentsOfFile: spare, encoding: .utf8) == "old \(round)")
                #expect(try folder.names == ["shown", "spare"])
            }
        }
    }

    @Test("put the first in the second's place if that is gone, and say so", arguments: Way.allCases)
    func missing(way: Way) throws {
        try withFolder { folder in
            let (spare, shown, aside) = (path("spare", folder), path("shown", folder), path("aside", folder))
            #expect(throws: SystemError.self) {
                try NameSwap.swap(spare, shown, aside: aside, atOnce: way.exchange)
            }
            try Data("new".utf8).write(to: URL(fileURLWithPath: spare))
            #expect(try !NameSwap.swap(spare, shown, aside: aside, atOnce: way.exchange))
            #expect(try String(contentsOfFile: shown, encoding: .utf8) == "new")
            #expect(try folder.names == ["shown"])
        }
    }

    #if canImport(Glibc)
        @Test("do it at once on this system, unless its file system refuses")
        func atOnce() throws {
            try withFolder { folder in
                let (first, second) = (path("first", folder), path("second", folder))
                for path in [first, second] { try Data(path.utf8).write(to: URL(fileURLWithPath: path)) }
                if !NameSwap.exchange(first, second) {
                    #expect([EINVAL, ENOSYS, ENOTSUP, EPERM].contains(errno))
                }
            }
        }
    #endif

    private func path(_ name: String, _ folder: TemporaryFolder) -> String {
        folder.url.appendingPathComponent(name).path
    }
}
