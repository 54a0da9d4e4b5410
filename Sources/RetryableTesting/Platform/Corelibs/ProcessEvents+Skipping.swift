#if !canImport(ObjectiveC)
    import Foundation

    extension ProcessEvents {
        /// The text of a file of settings that leaves these tests out. (An argument has no room for thousands.)
        ///
        /// One expression names them suite by suite, because to compare each test with each takes long.
        func settings(skipping skipped: Set<String>) -> [UInt8] {
            let left = Set(tests.filter { !skipped.contains($0) }.flatMap(suitesAround))
            let groups = Dictionary(grouping: skipped) { test in
                let suites = suitesAround(test)
                return suites.first { !left.contains($0) } ?? suites.last ?? ""
            }
            let alternatives = groups.map { suite, tests in
                let isWhole = !suite.isEmpty && !left.contains(suite)
                let endings = tests.map { escape(String($0.dropFirst(suite.count))) }
                return escape(suite) + (isWhole ? "" : "(?:\(endings.joined(separator: "|")))")
            }
            let expressions = groups.isEmpty ? [] : ["^(?:\(alternatives.joined(separator: "|")))$"]
            return (try? Array(JSONEncoder().encode(["skip": expressions]))) ?? []  // texts can always be encoded
        }

        private func escape(_ text: String) -> String { NSRegularExpression.escapedPattern(for: text) }
    }
#endif
