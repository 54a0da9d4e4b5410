import RetryReport

/// A file that SwiftPM wrote (`swift test --xunit-output`), completed with what was retried.
///
/// All that SwiftPM wrote stays as it is: only the test cases that flaked have more in them.
struct XUnitFile {
    let name: String
    let bytes: [UInt8]

    struct Completed {
        var bytes: [UInt8]
        /// Tests that flaked and are not in the file.
        var missing: [String]
    }

    func completed(with retries: [Retry]) throws(ReportFileError) -> Completed {
        do throws(XMLScanner.Problem) {
            var completion = Completion(bytes: bytes, retries: retries)
            try completion.run()
            return Completed(bytes: completion.result, missing: completion.missing)
        } catch {
            throw ReportFileError(path: name, cause: "cannot be read: it is no file of test results: \(error)")
        }
    }
}

extension XUnitFile {
    /// One pass over a file.
    private struct Completion {
        let bytes: [UInt8]
        private(set) var result: [UInt8] = []
        private var scanner: XMLScanner
        private var copied = 0
        private var waiting: [JUnitName: [Retry]]

        init(bytes: [UInt8], retries: [Retry]) {
            self.bytes = bytes
            scanner = XMLScanner(bytes)
            waiting = Dictionary(grouping: retries, by: \.junitName.withoutArguments)
            result.reserveCapacity(bytes.count + retries.count * 512)
        }

        var missing: [String] {
            waiting.values.joined().map(\.fullName).sorted()
        }

        mutating func run() throws(XMLScanner.Problem) {
            var hasSuites = false
            while let tag = try scanner.next() {
                hasSuites = hasSuites || tag.name == "testsuite" || tag.name == "testsuites"
                guard tag.name == "testcase", tag.kind != .closing else { continue }
                let retries = take(tag)
                if !retries.isEmpty { try complete(tag, with: retries.flatMap(\.junitElements)) }
            }
            guard hasSuites else { throw XMLScanner.Problem(description: "there is no <testsuite> in it") }
            result += bytes[copied...]
        }

        /// What is known of a test case; each record is used once. A record of version 0.6.0 has no module.
        private mutating func take(_ tag: XMLScanner.Tag) -> [Retry] {
            let name = JUnitName(suite: tag.attributes["classname"] ?? "", name: tag.attributes["name"] ?? "")
            let suite = name.suite.split(separator: ".").dropFirst().joined(separator: ".")
            let bare = JUnitName(suite: suite, name: name.name)
            return waiting.removeValue(forKey: name) ?? waiting.removeValue(forKey: bare) ?? []
        }

        private mutating func complete(_ tag: XMLScanner.Tag, with new: [JUnitElement]) throws(XMLScanner.Problem) {
            var children: [(rank: Int, xml: [UInt8])] = new.map {
                (JUnitElement.Kind.rank(of: $0.kind.rawValue), Array($0.xml.utf8))
            }
            result += bytes[copied..<tag.range.lowerBound]
            copied = tag.range.upperBound
            if tag.kind == .empty {
                result += bytes[tag.range].dropLast(2).reversed().drop { $0 == UInt8(ascii: " ") }.reversed()
                result.append(UInt8(ascii: ">"))
            } else {
                result += bytes[tag.range]
                let isTold = new.contains { $0.kind == .failure || $0.kind == .error }
                children += try self.children().filter { !(isTold && Self.saysNothing($0.xml)) }
            }
            let order = children.indices.sorted { first, second in
                (children[first].rank, first) < (children[second].rank, second)
            }
            for index in order {
                result.append(UInt8(ascii: "\n"))
                result += children[index].xml
            }
            result += "\n</testcase>".utf8
        }

        /// Whether this is what SwiftPM writes for any XCTest that failed. Who reads one failure of a test is to read ours.
        private static func saysNothing(_ element: [UInt8]) -> Bool {
            let text = String(decoding: element, as: UTF8.self)
            return text == "<failure message=\"failure\"></failure>" || text == "<failure message=\"failure\"/>"
        }

        /// What SwiftPM wrote into the test case, up to its end.
        private mutating func children() throws(XMLScanner.Problem) -> [(rank: Int, xml: [UInt8])] {
            var children: [(rank: Int, xml: [UInt8])] = []
            var depth = 0
            var start = copied
            while let tag = try scanner.next() {
                if depth == 0, tag.kind == .closing {
                    copied = tag.range.upperBound
                    break
                }
                if depth == 0 { start = tag.range.lowerBound }
                switch tag.kind {
                case .opening: depth += 1
                case .closing: depth -= 1
                case .empty: break
                }
                if depth == 0 {
                    children.append((JUnitElement.Kind.rank(of: tag.name), Array(bytes[start..<tag.range.upperBound])))
                }
            }
            return children
        }
    }
}
