import Foundation
import OnboardingKit

/// The app's screen and its user: prints what the model shows, and does what is typed.
@MainActor
struct Terminal {
    private let model: AppViewModel

    init(_ model: AppViewModel) {
        self.model = model
    }

    func run() {
        say(
            model.showsOnboarding ? "Welcome! Type done when you have read this." : "Your list is empty. Type refresh."
        )
        let model = model
        Thread.detachNewThread {
            while let order = readLine() {
                DispatchQueue.main.async { Terminal(model).obey(order) }
            }
            DispatchQueue.main.async { exit(0) }
        }
        model.start()
        while RunLoop.main.run(mode: .default, before: .distantFuture) {}
    }

    private func obey(_ order: String) {
        do {
            switch order {
            case "done": try model.markOnboardingSeen()
            case "refresh": model.refresh()
            case "list": say(model.rows.joined(separator: "\n"))
            case "quit": exit(0)
            default: say("Type done, refresh, list or quit.")
            }
        } catch {
            say("\(error)")
        }
    }

    /// Prints a line at once: the standard library would keep it, for nobody sits at a pipe.
    private func say(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}
