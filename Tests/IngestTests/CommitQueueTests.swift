import AfterpushWire
import Foundation
import Testing

@testable import Events
@testable import Ingest

@Suite struct CommitQueueTests {
    private let now = ContinuousClock.now

    private func entry(_ events: Int, late: Bool = false, name: String = "") throws -> CommitQueue<String>.Entry {
        let event = #"{"event_id":"00000000-0000-4000-8000-000000000001"}"#
        let body = "[" + Array(repeating: event, count: events).joined(separator: ",") + "]"
        let context = ValidationContext(appID: 1, scope: .ingest, receivedAt: Timestamp(microseconds: 0))
        let pending = PendingSubmission(try Submission.read(Array(body.utf8), as: .json), context)
        return .init(pending: pending, deadline: late ? now - .seconds(1) : now + .seconds(1), waiter: name)
    }

    @Test func `a group is what waits, in order, up to its size`() throws {
        var queue = CommitQueue<String>(capacity: 100, groupSize: 10)
        for (name, events) in [("a", 4), ("b", 6), ("c", 1)] {
            #expect(queue.add(try entry(events, name: name)) == nil)
        }
        #expect(queue.takeGroup(at: now).group.map(\.waiter) == ["a", "b"])
        #expect(queue.takeGroup(at: now).group.map(\.waiter) == ["c"])
        #expect(queue.isEmpty && queue.events == 0)
    }

    @Test func `a request larger than a group is a group of its own`() throws {
        var queue = CommitQueue<String>(capacity: 100, groupSize: 10)
        #expect(queue.add(try entry(50)) == nil)
        #expect(queue.add(try entry(1)) == nil)
        #expect(queue.takeGroup(at: now).group.count == 1)
    }

    @Test func `past its capacity nothing comes in, unless nothing waits`() throws {
        var queue = CommitQueue<String>(capacity: 5, groupSize: 10)
        #expect(queue.add(try entry(8)) == nil)
        #expect(queue.add(try entry(1)) == .overloaded)
        _ = queue.takeGroup(at: now)
        #expect(queue.add(try entry(1)) == nil)
    }

    @Test func `who waited too long is told apart and stored no more`() throws {
        var queue = CommitQueue<String>(capacity: 100, groupSize: 10)
        #expect(queue.add(try entry(1, late: true, name: "late")) == nil)
        #expect(queue.add(try entry(1, name: "in time")) == nil)
        let (group, late) = queue.takeGroup(at: now)
        #expect(late.map(\.waiter) == ["late"])
        #expect(group.map(\.waiter) == ["in time"])
    }

    @Test func `once closed nothing comes in, and what waits can be taken`() throws {
        var queue = CommitQueue<String>(capacity: 100, groupSize: 10)
        #expect(queue.add(try entry(1)) == nil)
        queue.close()
        #expect(queue.add(try entry(1)) == .draining)
        #expect(queue.takeGroup(at: now).group.count == 1)
    }

    @Test func `the lines share the capacity, and each has its own order and size of groups`() throws {
        var queue = CommitQueue<String>(capacity: 5, groupSize: 10)
        for name in ["a", "b"] {
            let refusal = queue.add(try entry(1, name: name), to: .retry)
            #expect(refusal == nil)
        }
        let refusals = [queue.add(try entry(3, name: "c")), queue.add(try entry(1), to: .retry)]
        #expect(refusals == [nil, .overloaded])
        #expect(queue.requests == 3 && queue.events == 5)
        let groups = [
            queue.takeGroup(at: now), queue.takeGroup(from: .retry, at: now, size: 1),
            queue.takeGroup(from: .retry, at: now),
        ]
        #expect(groups.map { $0.group.map(\.waiter) } == [["c"], ["a"], ["b"]])
        #expect(queue.isEmpty)
    }
}
