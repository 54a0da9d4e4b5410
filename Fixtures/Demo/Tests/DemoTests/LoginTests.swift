import Retryable
import Shop

/// One flake that somebody should fix: it is retried once, and only the section is forgiven.
final class LoginTests: RetryableTestCase {
    func testSignsIn() async {
        let session = await Shop.shared.signIn("ada")

        flaky(.fixable(reason: "the token arrives late")) {
            XCTAssertNotNil(session.token)
        }

        XCTAssertEqual(session.user, "ada")  // outside: a failure here is never retried
    }

    func testGreets() {
        XCTAssertEqual("Hello, \("ada")", "Hello, ada")
    }
}
