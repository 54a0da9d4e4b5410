#if canImport(ObjectiveC)
    import ObjectiveC
    import XCTest

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
