/// All launch options of an app, declared once in code that the app and its tests share.
///
/// A test sets properties and takes ``arguments()``; the app reads them into an ``AutomationContext``. See
/// ``LaunchOption`` for an example.
public protocol LaunchOptions: Sendable {
    /// Options that all have their defaults.
    init()
}

extension LaunchOptions {
    /// Makes options that differ from the defaults in what the closure sets.
    ///
    /// ```swift
    /// let options = OnboardingOptions { $0.skipOnboarding = true }
    /// ```
    public init(_ change: (inout Self) throws -> Void) rethrows {
        self.init()
        try change(&self)
    }

    /// The arguments to launch the app with: one or two for each option that does not have its default.
    ///
    /// - Throws: ``LaunchOptionsError`` if an option is declared twice, a property is no option, or a value cannot be
    ///   written such that the app reads it again.
    public func arguments() throws -> [String] {
        var problems = undeclared + LaunchOptionsError.Problem.inDeclarations(declarations)
        var arguments: [String] = []
        for declaration in declarations {
            do {
                guard let text = try declaration.option.written() else { continue }
                arguments += LaunchArguments.written(text, for: declaration)
            } catch {
                problems.append(.unwritable(name: declaration.name, why: "\(error)"))
            }
        }
        guard problems.isEmpty else { throw LaunchOptionsError(problems: problems) }
        return arguments
    }

    /// The options among the stored properties, in the order in which they are declared.
    var declarations: [LaunchOptionDeclaration] {
        Mirror(reflecting: self).children.compactMap { label, value in
            guard let label, let option = value as? any DeclaredOption else { return nil }
            let property = label.hasPrefix("_") ? String(label.dropFirst()) : label
            return LaunchOptionDeclaration(name: option.explicitName ?? property, property: property, option: option)
        }
    }

    /// The stored properties that are no options: what a test sets there would never come to the app.
    var undeclared: [LaunchOptionsError.Problem] {
        Mirror(reflecting: self).children.compactMap { label, value in
            guard let label, !(value is any DeclaredOption) else { return nil }
            return .notAnOption(property: label)
        }
    }
}

/// An option and what it is called.
struct LaunchOptionDeclaration {
    let name: String
    let property: String
    let option: any DeclaredOption
}
