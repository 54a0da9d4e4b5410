#if canImport(ObjectiveC)
    import Groundwork
    import XCTest

    /// The methods under which tests are attempted again: `testSignsIn$2` for the second attempt of `testSignsIn`.
    ///
    /// Xcode identifies tests by name: if two attempts shared one, it could show one's failure as the other's. Xcode may also
    /// repeat a retry itself, with an instance made from the method alone, so what is known of a retry is stored by method.
    enum RetriedMethods {
        struct Retried {
            let previousFlake: PreviousFlake
            let suspends: Bool
        }

        private struct Key: Hashable {
            let testClass: ObjectIdentifier
            let selector: String
        }

        private static let retried = Locked<[Key: Retried]>([:])

        /// Adds the method for the attempt that follows.
        ///
        /// - Parameters:
        ///   - method: The method of the attempt before.
        ///   - previousFlake: What happened before the attempt that follows.
        static func add(after method: AttemptedMethod, of testClass: XCTestCase.Type, previousFlake: PreviousFlake)
            -> Selector
        {
            let name = "\(method.name)$\(previousFlake.retryCount + 1)"
            let selector = testClass.addMethod(named: name, like: method.selector) ?? method.selector
            let key = Key(testClass: ObjectIdentifier(testClass), selector: NSStringFromSelector(selector))
            let entry = Retried(previousFlake: previousFlake, suspends: method.suspends)
            retried.withLock { $0[key] = entry }
            return selector
        }

        /// What is known of a method; `nil` if it is not one of these.
        static func find(_ selector: String, of testClass: XCTestCase.Type) -> Retried? {
            retried.withLock { $0[Key(testClass: ObjectIdentifier(testClass), selector: selector)] }
        }
    }
#endif
