import Groundwork

/// Values in memory that a process shares with those that it forks. The memory is never freed.
package struct SharedArray<Element: BitwiseCopyable & Sendable>: @unchecked Sendable, RandomAccessCollection {
    // Safe to send: it is only an address. Its users make sure that only one writes at a time.
    private let elements: UnsafeMutableBufferPointer<Element>

    package init(_ values: [Element]) throws(SystemError) {
        let size = Swift.max(values.count, 1) * MemoryLayout<Element>.stride
        let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANON, -1, 0)
        guard let memory, memory != MAP_FAILED else { throw .last }
        let start = memory.bindMemory(to: Element.self, capacity: values.count)
        elements = UnsafeMutableBufferPointer(start: start, count: values.count)
        _ = elements.initialize(from: values)
    }

    package var startIndex: Int { elements.startIndex }
    package var endIndex: Int { elements.endIndex }

    package subscript(index: Int) -> Element {
        get { elements[index] }
        nonmutating set { elements[index] = newValue }
    }
}
