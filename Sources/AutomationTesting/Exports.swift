@_exported import AppAutomation
@_exported import XCTest
