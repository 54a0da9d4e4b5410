import Foundation
import RetryReport

/// The settings in the environment of this process, and the directory that it was started in.
package struct Settings: Sendable {
    private let environment: [String: String]
    private let workingDirectory = FileManager.default.currentDirectoryPath
    /// What a run of the tests does with flakes; the default if the environment cannot be read.
    package let mode: RunMode
    /// Why the environment cannot be read; `nil` if it can.
    let mistake: RunMode.Mistake?

    init(environment: [String: String]) {
        self.environment = environment
        do throws(RunMode.Mistake) {
            (mode, mistake) = (try RunMode(environment: environment), nil)
        } catch {
            (mode, mistake) = (RunMode(), error)
        }
    }

    /// A warning for each variable that looks like one of ours and is none.
    var warnings: [String] { RunMode.warnings(for: environment) }

    /// A path as the report shows it: relative to the working directory if it lies under it.
    package func relative(_ path: String) -> String {
        SourcePath.relative(path, to: workingDirectory)
    }

    /// The run that begins now.
    var run: Report.Run {
        let id = RunIdentity.current(environment: environment)
        let origin = RunOrigin(environment: environment, workingDirectory: workingDirectory)
        return Report.Run(id: id, startedAt: Date(), mode: mode.name, settings: mode.settings, origin: origin)
    }

    /// Where the report may go, the best place first.
    var reportLocations: [ReportLocation] {
        ReportLocation.candidates(
            environment: environment,
            workingDirectory: URL(fileURLWithPath: workingDirectory, isDirectory: true)
        )
    }
}
