@_exported import RetryCore
@_exported import XCTest
