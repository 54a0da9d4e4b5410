import AppAutomation
import Foundation
import Testing

@Suite("Writing launch options")
struct WritingOptionsTests {
    @Test("options that have their defaults need no arguments")
    func defaults() throws {
        #expect(try SampleOptions().arguments() == [])
    }

    @Test("a flag carries its value, another value follows its option")
    func forms() throws {
        let options = SampleOptions {
            $0.skipOnboarding = true
            $0.animations = false
            $0.apiEndpoint = URL(string: "https://staging.example.com")
        }
        #expect(
            try options.arguments()
                == ["-skipOnboarding=true", "-animations=false", "-apiEndpoint", "https://staging.example.com"]
        )
    }

    @Test(
        "what is written is read again",
        arguments: [
            "", " ", "-skipOnboarding", "--", "-", "=", "a=b", "YES", "line\nfeed", "\"quoted\"", "-page-size=4",
            "naïve 🙂", "\u{301}mark", "-\u{301}mark", "e\u{301}",
        ]
    )
    func roundTrip(text: String) throws {
        let options = SampleOptions {
            $0.skipOnboarding = true
            $0.user = text
            $0.pageSize = Int.min
            $0.speed = -0.1
            $0.theme = .dark
            $0.level = .high
            $0.account = SampleOptions.Account(name: text, age: -1)
            $0.nickname = text
            $0.contrast = .dark
            $0.priority = .high
            $0.version.major = 7
        }
        let context = try AutomationContext<SampleOptions>(arguments: ["/bin/app"] + options.arguments())
        #expect(context.skipOnboarding && context.animations && context.apiEndpoint == nil)
        #expect(Array(context.user.utf8) == Array(text.utf8))
        #expect(context.pageSize == Int.min)
        #expect(context.speed == -0.1)
        #expect(context.theme == .dark)
        #expect(context.level == .high)
        #expect(context.account == SampleOptions.Account(name: text, age: -1))
        #expect(context.nickname == text)
        #expect(context.contrast == .dark)
        #expect(context.priority == .high)
        #expect(context.version.major == 7)
        #expect(context.remainingArguments == ["/bin/app"])
    }

    @Test("no argument that follows changes a flag", arguments: ["no", "false", "yes"])
    func nextArgument(next: String) throws {
        let arguments = try SampleOptions { $0.skipOnboarding = true }.arguments() + [next]
        let context = try AutomationContext<SampleOptions>(arguments: arguments)
        #expect(context.skipOnboarding)
        #expect(context.remainingArguments == [next])
    }

    @Test("an optional is written as what it holds, and a type's own form comes first")
    func ownForms() throws {
        let options = SampleOptions {
            $0.contrast = .dark
            $0.version.major = 2
        }
        #expect(try options.arguments() == ["-contrast", "dark", "-version", "v2"])
    }

    @Test("a value that differs from the default in bytes alone is written")
    func decomposed() throws {
        struct Options: LaunchOptions {
            @LaunchOption var name = "\u{E9}"
        }
        let arguments = try Options { $0.name = "e\u{301}" }.arguments()
        #expect(arguments.map { Array($0.utf8) } == ["-name", "e\u{301}"].map { Array($0.utf8) })
        #expect(try Options { $0.name = "\u{E9}" }.arguments() == [])
    }

    @Test("a copy of options does not change with the original")
    func copies() {
        var first = SampleOptions()
        let second = first
        first.pageSize = 1
        #expect(second.pageSize == 20)
        #expect(first.pageSize == 1)
    }

    @Test("a value with no form as an argument is an error that names the option")
    func unwritable() {
        let found = problems { try SampleOptions { $0.nickname = nil }.arguments() }
        #expect(
            found == ["launch option -nickname cannot be written as an argument: nil, while the default is not nil"]
        )
    }

    @Test("what the app would refuse to read, or would not get whole, is not written")
    func refused() {
        let options = SampleOptions {
            $0.apiEndpoint = URL(string: "staging")
            $0.user = "a\0b"
            $0.account = SampleOptions.Account(name: "nobody", age: 0)
            $0.level = .high
        }
        let found = problems { try options.arguments() }
        #expect(
            found == [
                "launch option -user cannot be written as an argument: a NUL character ends every argument",
                "launch option -apiEndpoint cannot be written as an argument: the app would not read \"staging\"; "
                    + "allowed is a URL with a scheme, such as https://example.com",
            ]
        )
    }
}
