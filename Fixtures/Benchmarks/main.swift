import Foundation

// Measures what Retryable costs, and simulates what it is for.

if let workload = Workload(hidden: CommandLine.arguments) { workload.runAndExit() }

do {
    let options = try Options(Array(CommandLine.arguments.dropFirst()))
    if let help = options.help {
        print(help)
    } else {
        try Program(options).run()
    }
} catch {
    FileHandle.standardError.write(Data("benchmarks: \(error)\n".utf8))
    exit(2)
}
