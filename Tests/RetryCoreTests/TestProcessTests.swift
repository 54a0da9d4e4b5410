import Testing

@testable import RetryCore

#if !canImport(ObjectiveC)
    @Suite("Test process")
    struct TestProcessTests {
        @Test("a thread's number is replaced where a variable has it, wherever the variables begin", arguments: 0..<8)
        func replaces(offset: Int) throws {
            let (old, new): (Int32, Int32) = (4711, 4712)
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 48, alignment: 8)
            defer { memory.deallocate() }
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            let variables: [(place: Int, value: Int32, after: Int32)] = [
                (8, old, new), (16, 7, 7), (20, old, new), (24, 0x7f0000, 0x7f0000), (28, old, old), (40, old, new),
            ]
            for (place, value, _) in variables { memory.storeBytes(of: value, toByteOffset: place, as: Int32.self) }
            let start = try #require(memory.baseAddress)
            TestProcess.replace(old, with: new, from: start + offset, to: start + 44 + offset % 4)
            for (place, _, value) in variables { #expect(memory.load(fromByteOffset: place, as: Int32.self) == value) }
        }
    }
#endif
