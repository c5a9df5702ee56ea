import AfterpushWire

/// A queue in memory without a size limit, for simulated devices.
final class MemoryQueue: EventQueue {
    private struct State {
        var events: [[UInt8]] = []
        /// The number of events that were removed before the first one.
        var removed = 0
        var isOptedOut = false
    }

    private let state = Locked(State())

    func append(at time: Timestamp, _ json: ([DropReason: Int]) throws(RecordError) -> [UInt8]) throws(RecordError)
        -> Bool
    {
        let json = try json([:])
        guard json.count <= RecordFrame.maximumBytes else { throw RecordError.tooLarge(bytes: json.count) }
        return state.withLock { state in
            if !state.isOptedOut { state.events.append(json) }
            return !state.isOptedOut
        }
    }

    func acquireSenderLease(seconds: Double) -> Bool { true }
    func releaseSenderLease() {}

    func nextBatch(_ limits: BatchLimits) -> Batch {
        state.withLock { state in
            var batch = Batch()
            for (index, event) in state.events.enumerated() {
                let end = Batch.Position(segment: "", offset: state.removed + index + 1)
                guard batch.append(event, upTo: end, limits) else { break }
            }
            return batch
        }
    }

    func acknowledge(_ batch: Batch) {
        guard let end = batch.positions.last?.offset else { return }
        state.withLock { state in
            // Opting out may have emptied the queue meanwhile.
            let count = min(state.events.count, max(0, end - state.removed))
            state.events.removeFirst(count)
            state.removed += count
        }
    }

    func drop(_ batch: Batch, _ reason: DropReason) { acknowledge(batch) }
    func cleanUp(thoroughly: Bool) {}

    func optOut() {
        state.withLock { state in
            state.removed += state.events.count
            state.events = []
            state.isOptedOut = true
        }
    }

    func optIn() {
        state.withLock { $0.isOptedOut = false }
    }

    var isOptedOut: Bool { state.withLock { $0.isOptedOut } }
}
