import RetryReport

extension SwiftPMFile {
    /// This file with what was retried. All that SwiftPM wrote stays as it is: only the test cases that were retried have
    /// more in them, and one `failure` at most.
    func completed(with retries: [Retry]) throws(ReportFileError) -> [UInt8] {
        do throws(XMLScanner.Problem) {
            var completion = Completion(bytes: bytes, retries: retries)
            try completion.run()
            return completion.result
        } catch {
            throw unreadable(error)
        }
    }
}

extension SwiftPMFile {
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

        mutating func run() throws(XMLScanner.Problem) {
            var hasSuites = false
            while let tag = try scanner.next() {
                hasSuites = hasSuites || tag.name == "testsuite" || tag.name == "testsuites"
                guard tag.name == "testcase", tag.kind != .closing else { continue }
                let retries = take(tag)
                if !retries.isEmpty { try complete(tag, with: retries.flatMap(\.junitElements)) }
            }
            guard hasSuites else { throw .noSuite }
            result += bytes[copied...]
        }

        /// What is known of a test case; each record is used once. A record of version 0.6.0 has no module.
        private mutating func take(_ tag: XMLScanner.Tag) -> [Retry] {
            let name = JUnitName(suite: tag.attributes["classname"] ?? "", name: tag.attributes["name"] ?? "")
            return waiting.removeValue(forKey: name) ?? waiting.removeValue(forKey: name.withoutModule) ?? []
        }

        private mutating func complete(_ tag: XMLScanner.Tag, with new: [JUnitElement]) throws(XMLScanner.Problem) {
            var elements = new
            var others: [Child] = []
            result += bytes[copied..<tag.range.lowerBound]
            copied = tag.range.upperBound
            if tag.kind == .empty {
                result += bytes[tag.range].dropLast(2).reversed().drop { $0 == UInt8(ascii: " ") }.reversed()
                result.append(UInt8(ascii: ">"))
            } else {
                result += bytes[tag.range]
                others = try self.children()
            }
            if let told = elements.firstIndex(where: { $0.role == .failed }) {
                // Only one failure for a test, because some tools read only the first: ours, which says what failed and why.
                for index in elements.indices where index != told && elements[index].role == .failed {
                    elements[index].role = .rerun
                }
                for other in others where other.name == "failure" { elements[told].add(other.message) }
                others.removeAll { $0.name == "failure" }
            }
            let children = elements.map { Child(name: $0.name, xml: Array($0.xml.utf8)) } + others
            for child in children.sorted(byRank: { JUnitElement.rank(of: $0.name) }) {
                result.append(UInt8(ascii: "\n"))
                result += child.xml
            }
            result += "\n</testcase>".utf8
        }

        private struct Child {
            var name: String
            var message: String?
            var xml: [UInt8]
        }

        /// What SwiftPM wrote into the test case, up to its end.
        private mutating func children() throws(XMLScanner.Problem) -> [Child] {
            var children: [Child] = []
            var depth = 0
            var start = copied
            var message: String?
            while let tag = try scanner.next() {
                if depth == 0, tag.kind == .closing {
                    copied = tag.range.upperBound
                    break
                }
                if depth == 0, tag.kind != .closing {
                    start = tag.range.lowerBound
                    message = tag.attributes["message"]
                }
                switch tag.kind {
                case .opening: depth += 1
                case .closing: depth -= 1
                case .empty: break
                }
                if depth == 0 {
                    children.append(
                        Child(name: tag.name, message: message, xml: Array(bytes[start..<tag.range.upperBound]))
                    )
                }
            }
            return children
        }
    }
}
