import AfterpushWire

/// A queue that ends with its process, and has no bound: for devices that are simulated.
final class MemoryQueue: EventQueue {
    private struct State {
        var events: [[UInt8]] = []
        /// Of the first event, of all that there ever were.
        var firstNumber = 0
        var isOptedOut = false
    }

    private let state = Locked(State())

    func append(at time: Timestamp, _ json: ([DropReason: Int]) throws(RecordError) -> [UInt8]) throws(RecordError)
        -> Bool
    {
        let json = try json([:])
        guard json.count <= RecordFrame.longest else { throw RecordError.tooLarge(bytes: json.count) }
        return state.withLock { state in
            if !state.isOptedOut { state.events.append(json) }
            return !state.isOptedOut
        }
    }

    func mayBeSent(forNext seconds: Double) -> Bool { true }
    func endSending() {}

    func batch(_ limits: BatchLimits) -> Batch {
        state.withLock { state in
            var batch = Batch()
            for (place, event) in state.events.enumerated() {
                let end = Batch.Mark(segment: "", offset: state.firstNumber + place + 1)
                guard batch.take(event, upTo: end, limits) else { break }
            }
            return batch
        }
    }

    func acknowledge(_ batch: Batch) {
        guard let end = batch.marks.last?.offset else { return }
        state.withLock { state in
            // Opting out may have emptied it meanwhile.
            let count = min(state.events.count, max(0, end - state.firstNumber))
            state.events.removeFirst(count)
            state.firstNumber += count
        }
    }

    func drop(_ batch: Batch, _ reason: DropReason) { acknowledge(batch) }
    func tidy(thoroughly: Bool) {}

    func optOut() {
        state.withLock { state in
            state.firstNumber += state.events.count
            state.events = []
            state.isOptedOut = true
        }
    }

    func optIn() {
        state.withLock { $0.isOptedOut = false }
    }

    var isOptedOut: Bool { state.withLock { $0.isOptedOut } }
}
