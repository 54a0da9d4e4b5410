#if canImport(ObjectiveC)
    import Groundwork
    import ObjectiveC
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
        /// The method suspends.
        let suspends: Bool
        /// The flake of the attempt before; `nil` on the first.
        let previousFlake: PreviousFlake?

        private struct Key: Hashable {
            let testClass: ObjectIdentifier
            let selector: String
        }

        private static let retried = Locked<[Key: AttemptedMethod]>([:])

        /// The method of a selector, with the flake of the attempt before if it is a retry.
        static func find(_ selector: Selector, of testClass: XCTestCase.Type) -> AttemptedMethod {
            let key = Key(testClass: ObjectIdentifier(testClass), selector: NSStringFromSelector(selector))
            if let known = retried.withLock({ $0[key] }) { return known }
            // Swift gives a method that throws or suspends a parameter in Objective-C, for its error or for what follows it.
            let suspends = key.selector.hasSuffix(XCTestInternals.suspending)
            let suffix = suspends ? XCTestInternals.suspending : XCTestInternals.throwing
            let name = key.selector.hasSuffix(suffix) ? String(key.selector.dropLast(suffix.count)) : key.selector
            return AttemptedMethod(selector: selector, name: name, suspends: suspends, previousFlake: nil)
        }

        /// Adds the method for the attempt that follows.
        func added(to testClass: XCTestCase.Type, after previousFlake: PreviousFlake) -> AttemptedMethod {
            let alias = "\(name)$\(previousFlake.retryCount + 1)"
            let selector = testClass.addMethod(named: alias, like: selector) ?? selector
            let next = AttemptedMethod(selector: selector, name: name, suspends: suspends, previousFlake: previousFlake)
            let key = Key(testClass: ObjectIdentifier(testClass), selector: NSStringFromSelector(selector))
            Self.retried.withLock { $0[key] = next }
            return next
        }
    }

    extension XCTestCase {
        /// Adds a method to this class that does what another does: the code and its parameters are the same, so it does not
        /// matter whether the method throws or suspends.
        ///
        /// - Returns: The selector of the new method, or of the existing one with that name; `nil` if there is no original.
        static func addMethod(named name: String, like original: Selector) -> Selector? {
            guard let method = class_getInstanceMethod(self, original) else { return nil }
            let selector = NSSelectorFromString(name)
            _ = class_addMethod(self, selector, method_getImplementation(method), method_getTypeEncoding(method))
            return selector
        }
    }
#endif
