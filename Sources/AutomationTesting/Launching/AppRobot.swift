#if os(macOS) || os(Linux)
    import AppAutomation
    import XCTest

    /// One screen of an app, with what a user can do and see there.
    ///
    /// Steps return a robot, this one or that of the screen they lead to, so that a test reads as what the user does.
    /// They pass on file and line, so that a failure shows the test's line and not the robot's. They block, so they
    /// are for tests of XCTest that are not `async`.
    ///
    /// ```swift
    /// struct WelcomeRobot: AppRobot {
    ///     let app: AppProcess
    ///
    ///     func skip(file: StaticString = #filePath, line: UInt = #line) throws -> ListRobot {
    ///         try perform(awaiting: .listShown, file: file, line: line) { app.send("skip") }
    ///         return ListRobot(app: app)
    ///     }
    /// }
    /// ```
    public protocol AppRobot {
        /// The app whose screen this is.
        var app: AppProcess { get }
    }

    extension AppRobot {
        /// Does something and waits for the checkpoint that it leads to.
        ///
        /// - Throws: If it was not posted, what stops the test. The failure is reported at the given line, once.
        @discardableResult
        public func perform(
            awaiting checkpoint: Checkpoint,
            timeout: TimeInterval = 30,
            file: StaticString = #filePath,
            line: UInt = #line,
            action: () throws -> Void
        ) throws -> Self {
            let failure = try app.source.failure(for: .checkpoint(checkpoint), timeout: timeout, perform: action)
            return try check(failure, at: Caller(file, line))
        }

        /// Waits until an element of the screen is in a state.
        ///
        /// - Throws: If it was not announced, what stops the test. The failure is reported at the given line, once.
        @discardableResult
        public func expect(
            _ identifier: ElementIdentifier,
            toBe state: ElementState,
            timeout: TimeInterval = 30,
            file: StaticString = #filePath,
            line: UInt = #line
        ) throws -> Self {
            let failure = app.source.failure(for: .element(identifier, state), timeout: timeout) {}
            return try check(failure, at: Caller(file, line))
        }

        private func check(_ failure: String?, at caller: Caller) throws -> Self {
            guard let failure else { return self }
            throw app.source.stop(Self.self, failure, at: caller)
        }
    }
#endif
