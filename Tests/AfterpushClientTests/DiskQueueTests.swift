import AfterpushWire
import Foundation
import Glibc
import Testing

@testable import AfterpushClient

struct DiskQueueTests {
    @Test func `events are read in the order in which they were recorded, and acknowledged events are removed`() throws
    {
        let directory = try TestDirectory()
        let queue = directory.queue()
        for number in 0..<20 { try queue.append(number) }
        let first = queue.nextBatch(BatchLimits(events: 8))
        #expect(first.events.compactMap(Sample.number) == Array(0..<8))
        #expect(queue.nextBatch(BatchLimits(events: 8)).events == first.events, "not before it is acknowledged")
        queue.acknowledge(first)
        #expect(queue.numbers() == Array(8..<20))
        // Another process reads the rest.
        #expect(directory.queue().drain() == Array(8..<20))
        #expect(queue.numbers() == [])
    }

    @Test func `a batch stays within its byte limit but always contains at least one event`() throws {
        let directory = try TestDirectory()
        let queue = directory.queue()
        for number in 0..<4 { try queue.append(number, bytes: 1_000) }
        #expect(queue.nextBatch(BatchLimits(events: 100, bytes: 2_500)).events.count == 2)
        #expect(queue.nextBatch(BatchLimits(events: 100, bytes: 10)).events.count == 1)
    }

    @Test func `segments are read in order, and no file is left when all of them are sent`() throws {
        let directory = try TestDirectory()
        let queue = directory.queue()
        for number in 0..<400 { try queue.append(number, bytes: 1_000) }
        #expect(directory.location.segments().count == 4)
        #expect(queue.drain(BatchLimits(events: 90)) == Array(0..<400))
        queue.cleanUp(thoroughly: true)
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.location.path)
        #expect(files.filter { $0 != "sender" } == [])
    }

    @Test func `no event is lost if a segment is removed while its writer is alive`() throws {
        let directory = try TestDirectory()
        let (queue, sender) = (directory.queue(), directory.queue())
        for number in 0..<50 {
            try queue.append(number)
            let open = try OpenFile(directory.location.events(#require(directory.location.segments().first)), O_RDONLY)
            #expect(sender.drain() == [number])
            sender.cleanUp(thoroughly: true)
            let state = try open.state()
            #expect(state.size == 0 && !state.isLinked, "no room on the disk either")
        }
    }

    @Test func `a partly written event is not sent and does not keep its segment`() throws {
        let directory = try TestDirectory()
        try directory.queue().append(1)
        let segment = try #require(directory.location.segments().first)
        let file = try OpenFile(directory.location.events(segment), O_RDWR)
        try file.write([0, 0, 0, 40, 1, 2, 3], at: file.state().size)
        try Data("1".utf8).write(to: URL(fileURLWithPath: directory.location.acknowledged("gone") + ".draft"))
        let sender = directory.queue()
        #expect(sender.drain() == [1])
        sender.cleanUp(thoroughly: true)
        sender.cleanUp(thoroughly: true)
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.location.path)
        #expect(files.filter { $0 != "sender" } == [], "nothing of it stays")
    }

    @Test(arguments: ["", "12x", "-4", "99999999999999999999"])
    func `an unreadable count of acknowledged bytes is treated as zero`(text: String) throws {
        let directory = try TestDirectory()
        try directory.queue().append(1)
        let segment = try #require(directory.location.segments().first)
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.location.acknowledged(segment)))
        #expect(directory.queue().numbers() == [1])
    }

    @Test func `events that are too old are skipped, counted and reported with the next event`() throws {
        let directory = try TestDirectory()
        let start = Timestamp(microseconds: 1_800_000_000_000_000)
        let later = Timestamp(microseconds: start.microseconds + 100_000_000)
        let queue = directory.queue(maximumAge: 60, now: { later })
        for number in 0..<3 { try queue.append(number, at: start) }
        try queue.append(3, at: later)
        #expect(queue.drain() == [3])
        var reported: [[DropReason: Int]] = []
        for _ in 0..<2 {
            _ = try queue.append(at: later) { drops in
                reported.append(drops)
                return Sample.json(0)
            }
        }
        #expect(reported == [[.age: 3], [:]])
    }

    @Test func `a queue over its size limit drops its oldest events and counts each of them once`() throws {
        let directory = try TestDirectory()
        let queue = directory.queue(maximumBytes: 400_000)
        let reported = Locked<[DropReason: Int]>([:])
        func append(_ number: Int) throws {
            _ = try queue.append(at: Clock.now()) { drops in
                reported.withLock { $0.merge(drops, uniquingKeysWith: +) }
                return Sample.json(number, bytes: 1_000)
            }
        }
        for number in 0..<2_000 { try append(number) }
        let kept = queue.numbers()
        #expect(kept.count < 400 && kept == Array((2_000 - kept.count)..<2_000))
        // Reading them dropped some more.
        try append(2_000)
        #expect(reported.withLock { $0 } == [.size: 2_000 - kept.count])
    }

    @Test(.timeLimit(.minutes(1)))
    func `events that are dropped while a count is waiting to be reported are counted, too`()
        throws
    {
        let directory = try TestDirectory()
        let queue = directory.queue(maximumBytes: 400_000)
        let reported = Locked<[DropReason: Int]>([:])
        try queue.append(0)
        for number in 1...2_000 {
            // Each time by another process.
            DropCounter(location: directory.location).add(.age, 1)
            _ = try queue.append(at: Clock.now()) { drops in
                reported.withLock { $0.merge(drops, uniquingKeysWith: +) }
                return Sample.json(number, bytes: 1_000)
            }
        }
        let counts = reported.withLock { $0 }
        #expect(counts[.age] == 2_000 && counts[.size, default: 0] > 1_000)
    }

    @Test func `damaged events are counted, and no other event is lost`() throws {
        let directory = try TestDirectory()
        let queue = directory.queue()
        for number in 0..<3 { try queue.append(number) }
        let segment = try #require(directory.location.segments().first)
        let file = try OpenFile(directory.location.events(segment), O_RDWR)
        try file.write([0xFF], at: RecordFrame.headerBytes + 3)
        #expect(directory.queue().drain() == [1, 2])
        #expect(!DropCounter(location: directory.location).isEmpty)
    }

    @Test func `an event that is too large is refused and leaves no bytes behind`() throws {
        let directory = try TestDirectory()
        let queue = directory.queue()
        #expect(throws: RecordError.tooLarge(bytes: 70_000)) { try queue.append(1, bytes: 70_000) }
        #expect(queue.numbers() == [])
    }

    @Test func `opting out empties the queue and keeps it empty for every instance`() throws {
        let directory = try TestDirectory()
        let (queue, other) = (directory.queue(), directory.queue())
        try queue.append(1)
        try other.append(2)
        let inFlight = other.nextBatch(BatchLimits(events: 5))
        try queue.optOut()
        #expect(try !other.append(3))
        #expect(queue.numbers() == [] && other.isOptedOut)
        // Acknowledging a batch that was in flight has no effect.
        other.acknowledge(inFlight)
        other.cleanUp(thoroughly: true)
        let files = try FileManager.default.contentsOfDirectory(atPath: directory.location.path)
        #expect(files == ["opted-out"])
        try other.optIn()
        #expect(try queue.append(4))
        #expect(other.numbers() == [4])
    }

    @Test func `events left by a process that was killed while it opted out are removed without being sent`() throws {
        let directory = try TestDirectory()
        try directory.queue().append(1)
        try Data().write(to: URL(fileURLWithPath: directory.location.optOut))
        let next = directory.queue()
        #expect(next.numbers() == [])
        next.cleanUp(thoroughly: false)
        #expect(directory.location.segments() == [])
        #expect(next.isOptedOut)
    }

    @Test func `opting in does not bring back events from before opting out`() throws {
        let directory = try TestDirectory()
        try directory.queue().append(1)
        try Data().write(to: URL(fileURLWithPath: directory.location.optOut))
        try directory.queue().optIn()
        #expect(directory.queue().numbers() == [])
    }

    @Test func `opting in removes no event that was recorded after another process had opted in`() throws {
        let directory = try TestDirectory()
        let queue = directory.queue()
        try queue.optOut()
        let decision = try OpenFile(directory.location.optOut, O_RDONLY)
        try decision.lock()
        let isDone = DispatchSemaphore(value: 0)
        // A thread of its own: other tests may block those that run tasks.
        Thread.detachNewThread {
            try? directory.queue().optIn()
            isDone.signal()
        }
        // By then it waits for the lock. On a slower machine the test passes without testing anything.
        Thread.sleep(forTimeInterval: 0.3)
        unlink(directory.location.optOut)
        try queue.append(1)
        decision.unlock()
        #expect(isDone.wait(timeout: .now() + 60) == .success)
        #expect(queue.numbers() == [1])
    }

    @Test func `no event is lost or duplicated while threads record, send and clean up at the same time`() async throws
    {
        let directory = try TestDirectory()
        let isDone = Locked(false)
        let sent = await withTaskGroup(of: [Int].self) { group in
            for writer in 0..<4 {
                group.addTask {
                    let queue = directory.queue()
                    for number in 0..<150 { _ = try? queue.append(writer * 1_000 + number) }
                    return []
                }
            }
            group.addTask {
                let sender = directory.queue()
                var numbers: [Int] = []
                while true {
                    let last = isDone.withLock { $0 }
                    numbers += sender.drain()
                    sender.cleanUp(thoroughly: true)
                    if last { return numbers }
                    await Task.yield()
                }
            }
            var sent: [Int] = []
            for _ in 0..<4 { sent += await group.next() ?? [] }
            isDone.withLock { $0 = true }
            for await numbers in group { sent += numbers }
            return sent
        }
        let recorded: [Int] = (0..<4).flatMap { writer in (0..<150).map { number in writer * 1_000 + number } }
        #expect(sent.sorted() == recorded)
        #expect(directory.location.segments() == [])
    }
}
