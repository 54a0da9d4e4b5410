#if os(macOS) || os(Linux)
    import AppAutomation
    import XCTest

    extension AppProcess {
        /// Performs an action and waits until the app posts a checkpoint.
        ///
        /// ```swift
        /// app.waitForCheckpoint(.dataRefreshed) { app.send("refresh") }
        /// ```
        ///
        /// It works like `XCTestCase.waitForCheckpoint`, whose documentation says more. If the app ends in the meantime, the
        /// test fails at once, with the app's last output. An app that is stopped (by `SIGSTOP`, or in a debugger) has
        /// `timeout`, but at least 5 seconds, to answer before the action is performed; a failure then says that it did not.
        ///
        /// - Returns: Whether the checkpoint was posted.
        @_disfavoredOverload  // Else an async test whose action happens not to await would get this form.
        @discardableResult
        public func waitForCheckpoint(
            _ checkpoint: Checkpoint,
            timeout: TimeInterval = 30,
            file: StaticString = #filePath,
            line: UInt = #line,
            perform action: () throws -> Void
        ) rethrows -> Bool {
            try source.wait(for: .checkpoint(checkpoint), timeout: timeout, at: Caller(file, line), perform: action)
        }

        /// Performs an action and waits, without blocking a thread, until the app posts a checkpoint.
        @discardableResult
        public func waitForCheckpoint(
            _ checkpoint: Checkpoint,
            timeout: TimeInterval = 30,
            isolation: isolated (any Actor)? = #isolation,
            file: StaticString = #filePath,
            line: UInt = #line,
            perform action: () async throws -> Void
        ) async rethrows -> Bool {
            let event = AwaitedEvent.checkpoint(checkpoint)
            return try await source.suspend(until: event, timeout: timeout, at: Caller(file, line), perform: action)
        }

        /// Waits until the app announces that an element is in a state; returns at once if it is.
        ///
        /// - Returns: Whether the element came to be in the state.
        @discardableResult
        public func waitForElement(
            _ identifier: ElementIdentifier,
            toBe state: ElementState,
            timeout: TimeInterval = 30,
            file: StaticString = #filePath,
            line: UInt = #line
        ) -> Bool {
            source.wait(for: .element(identifier, state), timeout: timeout, at: Caller(file, line)) {}
        }

        /// Waits, without blocking a thread, until the app announces that an element is in a state.
        @discardableResult
        public func waitForElement(
            _ identifier: ElementIdentifier,
            toBe state: ElementState,
            timeout: TimeInterval = 30,
            isolation: isolated (any Actor)? = #isolation,
            file: StaticString = #filePath,
            line: UInt = #line
        ) async -> Bool {
            await source.suspend(until: .element(identifier, state), timeout: timeout, at: Caller(file, line)) {}
        }

        /// Waits until the app has ended by itself.
        ///
        /// - Returns: How it ended, or `nil`, with a failure, if it did not in time.
        @discardableResult
        public func waitForExit(
            timeout: TimeInterval = 30,
            file: StaticString = #filePath,
            line: UInt = #line
        ) -> ExitStatus? {
            source.wait(for: .end, timeout: timeout, at: Caller(file, line)) {} ? exitStatus : nil
        }

        /// Waits, without blocking a thread, until the app has ended by itself.
        @discardableResult
        public func waitForExit(
            timeout: TimeInterval = 30,
            isolation: isolated (any Actor)? = #isolation,
            file: StaticString = #filePath,
            line: UInt = #line
        ) async -> ExitStatus? {
            await source.suspend(until: .end, timeout: timeout, at: Caller(file, line)) {} ? exitStatus : nil
        }
    }
#endif
