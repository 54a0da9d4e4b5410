// Links the whole runs, whose tests Swift Testing then finds. They are no test target: XCTest's discovery would find the
// classes that fail on purpose.
@_exported import WholeRuns
