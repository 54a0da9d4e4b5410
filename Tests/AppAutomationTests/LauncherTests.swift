import AppAutomation
import Foundation
import Testing

@Suite("The launcher")
struct LauncherTests {
    struct OutOfOrder: Error {}
    struct NoOptions: LaunchOptions {}

    enum Broken: AppLauncher {
        static func configure(_ context: AutomationContext<NoOptions>) throws { throw OutOfOrder() }
        static func run(_ context: AutomationContext<NoOptions>) {}
    }

    @Test("an app that cannot start says why and exits with 1, also where standard error takes nothing")
    func broken() async {
        let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
            await Broken.main()
        }
        let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(output.hasSuffix(": OutOfOrder()\n"))
        await #expect(processExitsWith: .exitCode(1)) {
            dup2(open("/dev/full", O_WRONLY), STDERR_FILENO)
            await Broken.main()
        }
        await #expect(processExitsWith: .exitCode(1)) {
            var ends: [Int32] = [0, 0]
            pipe(&ends)
            dup2(ends[1], STDERR_FILENO)
            ends.forEach { close($0) }
            await Broken.main()
        }
    }
}
