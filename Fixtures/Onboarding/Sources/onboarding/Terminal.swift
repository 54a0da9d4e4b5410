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
        print(
            model.showsOnboarding ? "Welcome! Type done when you have read this." : "Your list is empty. Type refresh."
        )
        let model = model
        Thread.detachNewThread {
            // This thread stops reading first, because newer C libraries let `exit` wait for its `readLine`.
            while let order = readLine(), order != "quit" {
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
            case "list": print(model.rows.joined(separator: "\n"))
            default: print("Type done, refresh, list or quit.")
            }
        } catch {
            print("\(error)")
        }
    }
}
