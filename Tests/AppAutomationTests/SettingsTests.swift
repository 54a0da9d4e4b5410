import AppAutomation
import Foundation
import TestSupport
import Testing

extension SettingKey where Value == Bool {
    fileprivate static let onboardingSeen = SettingKey("onboardingSeen", default: false)
}

extension SettingKey where Value == Int {
    fileprivate static let count = SettingKey("count", default: 0)
    fileprivate static let seenAsNumber = SettingKey("onboardingSeen", default: 0)
}

@Suite("Settings")
final class SettingsTests: FolderTests {
    private var directory: URL { folder.file("settings") }

    private func persisted(_ build: String = "dev") throws -> PersistedSettings {
        try PersistedSettings(build: build, in: directory)
    }

    @Test("both stores keep, forget and default alike, byte for byte, and refuse a setting stored as another type")
    func alike() throws {
        let bytes = SettingKey("%c3%a9 \u{E9}", default: "")
        for store: any SettingsStore in [InMemorySettings(), try persisted()] {
            #expect(try store.value(of: .onboardingSeen) == false)
            try store.store(true, as: .onboardingSeen)
            #expect(try store.value(of: .onboardingSeen) == true)
            let found = problems { try store.value(of: .seenAsNumber) }
            #expect(found == [#"setting "onboardingSeen": the value true is no Int"#])
            try store.forget(.onboardingSeen)
            #expect(try store.value(of: .onboardingSeen) == false)
            for value in ["\u{E9}", "e\u{301}"] {
                try store.store(value, as: bytes)
                #expect(Array(try store.value(of: bytes).utf8) == Array(value.utf8))
            }
        }
    }

    @Test("settings outlive the store that wrote them, and stores that are open see each other's changes")
    func persistence() throws {
        let open = try persisted()
        try persisted().store(true, as: .onboardingSeen)
        #expect(try persisted().value(of: .onboardingSeen))
        #expect(try open.value(of: .onboardingSeen))
    }

    @Test("two builds never see each other's values", arguments: ["dev", "DEV", "dev/internal", "", ".."])
    func isolation(build: String) throws {
        let other = try persisted("app")
        try other.store(1, as: .count)
        let mine = try persisted(build)
        #expect(try mine.value(of: .count) == 0)
        try mine.store(2, as: .count)
        #expect(try other.value(of: .count) == 1)
        #expect(mine.file.standardizedFileURL.path.hasPrefix(directory.standardizedFileURL.path + "/"))
        let onDisk = FileManager.default.enumerator(atPath: directory.path)?.compactMap {
            ($0 as? String)?.lowercased()
        }
        #expect(Set(onDisk ?? []).count == onDisk?.count)
    }

    @Test("changes made at the same time are all kept")
    func concurrentChanges() async throws {
        let directory = directory
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<50 {
                group.addTask {
                    let settings = try PersistedSettings(build: "dev", in: directory)
                    try settings.store(index, as: SettingKey("key\(index)", default: -1))
                }
            }
            try await group.waitForAll()
        }
        for index in 0..<50 {
            #expect(try persisted().value(of: SettingKey("key\(index)", default: -1)) == index)
        }
    }

    @Test("a file that holds no settings is left as it was, an error names it, and a directory that cannot be made")
    func broken() throws {
        let file = try persisted().file
        try Data("[1, 2".utf8).write(to: file)
        #expect(problems { try persisted() } == ["\(file.path): does not hold settings (a JSON object of strings)"])
        #expect(try Data(contentsOf: file) == Data("[1, 2".utf8))
        #expect(throws: AutomationError.self) { try PersistedSettings(build: "dev", in: file) }
    }

    @Test("a test's run keeps its settings in the directory that the test gave it")
    func runDirectory() throws {
        struct NoOptions: LaunchOptions {}
        let context = try AutomationContext<NoOptions>(
            arguments: [],
            environment: [AutomationVariable.state: directory.path]
        )
        let settings = try PersistedSettings(build: "dev", context: context)
        #expect(settings.file.path.hasPrefix(directory.path))
    }
}
