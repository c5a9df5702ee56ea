import Foundation
import Testing

@testable import AfterpushClient

/// Tests the queue of simulated devices.
struct MemoryQueueTests {
    private let queue = MemoryQueue()

    private func append(_ number: Int) throws -> Bool {
        try queue.append(at: Clock.now()) { _ in Sample.json(number) }
    }

    private func numbers(_ limits: BatchLimits = BatchLimits(events: 100)) -> [Int] {
        queue.nextBatch(limits).events.compactMap(Sample.number)
    }

    @Test func `events are read in order, and acknowledged events are removed`() throws {
        for number in 0..<7 { #expect(try append(number)) }
        let first = queue.nextBatch(BatchLimits(events: 3))
        #expect(first.events.compactMap(Sample.number) == [0, 1, 2])
        #expect(try append(7))
        queue.acknowledge(first)
        queue.acknowledge(first)
        #expect(numbers() == Array(3..<8))
        queue.drop(queue.nextBatch(BatchLimits(events: 1)), .refused)
        #expect(numbers() == Array(4..<8))
    }

    @Test func `a batch stays within its byte limit but always contains at least one event`() throws {
        for number in 0..<4 { _ = try append(number) }
        #expect(numbers(BatchLimits(events: 100, bytes: 1)) == [0])
    }

    @Test func `opting out empties the queue, including the batch that is being sent`() throws {
        #expect(try append(1))
        let inFlight = queue.nextBatch(BatchLimits(events: 5))
        queue.optOut()
        #expect(try !append(2))
        queue.optIn()
        #expect(try append(3))
        queue.acknowledge(inFlight)
        #expect(numbers() == [3])
    }
}
