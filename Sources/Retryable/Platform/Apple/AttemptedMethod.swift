#if canImport(ObjectiveC)
    import XCTest

    /// The method that an attempt runs.
    struct AttemptedMethod {
        let selector: Selector
        /// Its name as its author wrote it, whichever attempt this is.
        let name: String
        /// Whether it suspends.
        let suspends: Bool
        /// What happened to the test before; `nil` on the first attempt.
        let previousFlake: PreviousFlake?

        init(_ selector: Selector, of testClass: XCTestCase.Type) {
            let selectorName = NSStringFromSelector(selector)
            let retried = RetriedMethods.find(selectorName, of: testClass)
            self.selector = selector
            name = Self.name(of: selectorName)
            suspends = retried?.suspends ?? selectorName.hasSuffix(XCTestInternals.suspending)
            previousFlake = retried?.previousFlake
        }

        /// Swift gives a method that throws or suspends a parameter in Objective-C, for its error or for what follows it; a
        /// retry has a number behind its name.
        static func name(of selector: String) -> String {
            let suffixes = [XCTestInternals.throwing, XCTestInternals.suspending]
            for suffix in suffixes where selector.hasSuffix(suffix) {
                return String(selector.dropLast(suffix.count))
            }
            guard let dollar = selector.lastIndex(of: "$") else { return selector }
            return String(selector[..<dollar])
        }
    }
#endif
