@_exported import RetryCore
