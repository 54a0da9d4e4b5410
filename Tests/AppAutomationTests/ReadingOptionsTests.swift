import AppAutomation
import Foundation
import Testing

@Suite("Reading launch options")
struct ReadingOptionsTests {
    @Test("values of every type are read")
    func everyType() throws {
        let context = try AutomationContext<SampleOptions>(arguments: [
            "-skipOnboarding", "-animations=false", "-page-size", "-3", "-speed=2.25", "-user", "",
            "-apiEndpoint", "https://staging.example.com/v1?a=b", "-theme", "dark", "-level", "9",
            "-account", #"{"name":"Geralt","age":97}"#,
        ])
        #expect(context.skipOnboarding)
        #expect(!context.animations)
        #expect(context.pageSize == -3)
        #expect(context.speed == 2.25)
        #expect(context.user == "")
        #expect(context.apiEndpoint?.absoluteString == "https://staging.example.com/v1?a=b")
        #expect(context.theme == .dark)
        #expect(context.level == .high)
        #expect(context.account == SampleOptions.Account(name: "Geralt", age: 97))
    }

    @Test(
        "a flag takes a word as Xcode writes it, and no other argument",
        arguments: [
            (["-skipOnboarding", "YES"], true, [String]()),
            (["-skipOnboarding", "no"], false, []),
            (["-skipOnboarding", "letter.txt"], true, ["letter.txt"]),
            (["-skipOnboarding", "1"], true, ["1"]),
        ]
    )
    func flagWords(arguments: [String], value: Bool, foreign: [String]) throws {
        let context = try AutomationContext<SampleOptions>(arguments: arguments)
        #expect(context.skipOnboarding == value)
        #expect(context.remainingArguments == foreign)
    }

    @Test("a value may begin with what Swift takes for a part of the sign before it")
    func combiningMarks() throws {
        let context = try AutomationContext<SampleOptions>(arguments: ["-user=\u{301}x", "-nickname", "-\u{338}"])
        #expect(Array(context.user.utf8) == Array("\u{301}x".utf8))
        #expect(context.nickname.map { Array($0.utf8) } == Array("-\u{338}".utf8))
    }

    @Test("arguments of others are left alone, in their order, and so is all after two dashes")
    func foreign() throws {
        let others = [
            "/bin/app", "-NSDocumentRevisionsDebugMode", "YES", "-AppleLanguages", "(en)", "--verbose", "-", "x",
        ]
        let context = try AutomationContext<SampleOptions>(
            arguments: others + ["-skipOnboarding", "--", "-page-size", "x"]
        )
        #expect(context.skipOnboarding)
        #expect(context.remainingArguments == others + ["--", "-page-size", "x"])
    }

    @Test("every problem is listed at once, with what was read and what is allowed; no option is taken for a value")
    func everyProblem() {
        let found = problems(
            SampleOptions.self,
            in: [
                "-skipOnbording", "-page-size", "many", "-speed=fast", "-animations=maybe", "-apiEndpoint", "staging",
                "-theme", "blue", "-level", "3", "-account", "{}", "-user", "a", "-user", "b", "-nickname",
            ]
        )
        #expect(
            found == [
                "launch option -skipOnbording is unknown; -skipOnboarding is declared",
                #"launch option -page-size cannot be "many"; allowed is a whole number"#,
                #"launch option -speed cannot be "fast"; allowed is a number"#,
                #"launch option -animations cannot be "maybe"; allowed is true, false, YES or NO"#,
                #"launch option -apiEndpoint cannot be "staging"; allowed is a URL with a scheme, such as https://example.com"#,
                #"launch option -theme cannot be "blue"; allowed is one of light, dark"#,
                #"launch option -level cannot be "3"; allowed is a whole number"#,
                #"launch option -account cannot be "{}"; allowed is JSON for Account"#,
                "launch option -user is given twice",
                "launch option -nickname has no value; allowed is any text",
            ]
        )
        let missing = problems(SampleOptions.self, in: ["-user", "-skipOnboarding"])
        #expect(missing == ["launch option -user has no value; allowed is any text"])
    }

    @Test(
        "a slip in a name is an unknown option, and a name that is not near a declared one is left alone",
        arguments: [
            "-skiponboarding": 1, "--skipOnboarding": 1, "-skip-onboarding": 1, "-skipOnboardign": 1, "-pageSize=3": 1,
            "-them": 1, "-skip": 0, "-use2s": 0, "-the": 0, "-x=1": 0,
        ]
    )
    func slips(argument: String, count: Int) {
        #expect(problems(SampleOptions.self, in: [argument]).count == count)
    }
}

@Suite("Declaring launch options")
struct DeclaringOptionsTests {
    struct Twice: LaunchOptions {
        @LaunchOption("speed") var fast = 1
        @LaunchOption("speed") var slow = 2.0
        @LaunchOption("-a b=") var bad = ""
    }

    struct Forgetful: LaunchOptions {
        @LaunchOption var speed = 1
        var colour = "red"
        let size = 3
        var isFast: Bool { speed > 1 }
    }

    @Test("a stored property that is no option, and an option declared twice, are errors on both sides")
    func errors() {
        let none = [
            "property colour is no launch option; @LaunchOption before it makes it one",
            "property size is no launch option; @LaunchOption before it makes it one",
        ]
        #expect(problems(Forgetful.self, in: []) == none)
        #expect(problems { try Forgetful().arguments() } == none)
        let twice = [
            "launch option -speed is declared twice, by fast and slow",
            #"launch option "-a b=" has a name that no argument can carry: no leading dash, no = and no space is allowed"#,
        ]
        #expect(problems(Twice.self, in: []) == twice)
        #expect(problems { try Twice().arguments() } == twice)
    }
}
