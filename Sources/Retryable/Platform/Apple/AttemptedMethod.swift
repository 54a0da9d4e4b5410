#if canImport(ObjectiveC)
    import Groundwork
    import ObjectiveC
    import RetryCore
    import XCTest

    /// The method that an attempt runs: the one that a test's author wrote or, for a retry, one of the same code under a name
    /// of its own, `testSignsIn$2` for the second attempt of `testSignsIn`.
    ///
    /// Xcode identifies tests by name: if two attempts shared one, it could show one's failure as the other's. Xcode may also
    /// repeat a retry itself, with an instance made from the method alone, so what is known of a retry is stored by method.
    struct AttemptedMethod {
        let selector: Selector
        /// Its name as its author wrote it, whichever attempt this is.
        let name: String
        let suspends: Bool
        /// The attempt before, which flaked; `nil` on the first.
        let previousAttempt: Attempt?

        /// The suffixes of the Objective-C names of methods that throw or suspend. Not verified on a Mac yet.
        ///
        /// If they change, the report has them in the test's name and, with `continueAfterFailure = false`, only XCTest stops
        /// a test that suspends.
        private static let (throwing, suspending) = ("AndReturnError:", "WithCompletionHandler:")

        private static let retried = Locked<[ObjectIdentifier: [Selector: AttemptedMethod]]>([:])

        /// The method of a selector, with the attempt before if it is a retry.
        static func find(_ selector: Selector, of testClass: XCTestCase.Type) -> AttemptedMethod {
            if let known = retried.withLock({ $0[ObjectIdentifier(testClass)]?[selector] }) { return known }
            // Swift gives a method that throws or suspends a parameter in Objective-C, for its error or for what follows it.
            let name = NSStringFromSelector(selector)
            let suspends = name.hasSuffix(suspending)
            let suffix = suspends ? suspending : throwing
            return AttemptedMethod(
                selector: selector,
                name: name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name,
                suspends: suspends,
                previousAttempt: nil
            )
        }

        /// Adds a method for the next attempt to the class. It has the code and the parameters of this one, so it may throw or
        /// suspend as well.
        ///
        /// - Returns: The selector of the new method, or of this one if the class has no such method.
        func addRetry(to testClass: XCTestCase.Type, after attempt: Attempt) -> Selector {
            var selector = selector
            if let method = class_getInstanceMethod(testClass, selector) {
                selector = NSSelectorFromString("\(name)$\(attempt.retryCount + 2)")
                let implementation = method_getImplementation(method)
                _ = class_addMethod(testClass, selector, implementation, method_getTypeEncoding(method))
            }
            let next = AttemptedMethod(selector: selector, name: name, suspends: suspends, previousAttempt: attempt)
            Self.retried.withLock { $0[ObjectIdentifier(testClass), default: [:]][selector] = next }
            return selector
        }
    }
#endif
