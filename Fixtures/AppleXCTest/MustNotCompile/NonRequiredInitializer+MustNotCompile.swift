// error: must use a 'required' initializer
import Retryable

/// Makes its test again through its own metatype: `init(selector:)` comes from Objective-C, and no subclass need have it.
class Planted: RetryableTestCase {
    func again(_ selector: Selector) -> Planted { type(of: self).init(selector: selector) }
}
