#if os(macOS) || os(Linux)
    import AppAutomation
    import Groundwork

    /// What an app writes to one stream: all of it or, if that is too much to keep in memory, its first and its last part.
    struct KeptOutput {
        /// Where it comes from; `nil` once the stream has ended.
        private(set) var descriptor: CInt?
        /// Of each part, in bytes.
        private let most: Int
        private var first: [UInt8] = []
        private var last: [UInt8] = []
        private var leftOut = 0

        init(of descriptor: CInt, limit: Int) {
            // While the stream has nothing, reading it returns nothing, instead of blocking.
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            self.descriptor = descriptor
            most = max(limit, 0) / 2
        }

        /// Reads what is ready or, if the stream may hold more than was known to be ready, all that it holds.
        mutating func read(_ ready: [CInt], mayHoldMore: Bool) {
            guard let descriptor, mayHoldMore || ready.contains(descriptor) else { return }
            // The limit is the size of the largest pipe that a user can have on Linux. Without it, a process that writes
            // without a pause would hold back the events.
            var left = mayHoldMore ? 1 << 20 : 1
            while left > 0 {
                guard let bytes = UnixSocket.read(descriptor) else { return close() }
                append(bytes)
                left = bytes.isEmpty ? 0 : left - bytes.count
            }
        }

        mutating func close() {
            if let descriptor = descriptor.take() { Descriptors.close(descriptor) }
        }

        mutating func append(_ bytes: [UInt8]) {
            let room = most - first.count
            first += bytes.prefix(room)
            last += bytes.dropFirst(room)
            // Only at twice as much: so no more bytes are moved than have come since the last time.
            if last.count > 2 * most { cut() }
        }

        private mutating func cut() {
            let excess = max(last.count - most, 0)
            last.removeFirst(excess)
            leftOut += excess
        }

        /// As text, with a line between the parts that says how much is left out.
        var text: String {
            var kept = self
            kept.cut()
            guard kept.leftOut > 0 else { return String(decoding: kept.first + kept.last, as: UTF8.self) }
            return String(decoding: kept.first, as: UTF8.self) + "\n[\(kept.leftOut) bytes are left out here]\n"
                + String(decoding: kept.last, as: UTF8.self)
        }
    }
#endif
