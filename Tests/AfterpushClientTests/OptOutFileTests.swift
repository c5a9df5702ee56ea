import Foundation
import Glibc
import Testing

@testable import AfterpushClient

/// Tests the file of a person's decision to record nothing.
@Suite(.timeLimit(.minutes(5))) struct OptOutFileTests {
    @Test(arguments: [Intruder.pipe, .danglingLink, .socket])
    func `a decision stays if several processes restore its file at the same time`(intruder: Intruder) throws {
        let directory = try TestDirectory()
        try directory.location.prepare()
        for round in 0..<200 {
            try intruder.move(to: directory.location.optOut)
            // Each has a descriptor and a lock of its own, as processes have.
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                _ = try? OptOutFile(location: directory.location).emptyQueue()
            }
            #expect(directory.location.isOptedOut, "round \(round)")
            try #require(directory.location.status(of: directory.location.optOut)?.isRegular == true, "round \(round)")
        }
    }

    @Test func `nothing is recorded while another process has opted out, and everything once it has opted in`() throws {
        let directory = try TestDirectory()
        let (queue, other) = (directory.queue(), directory.queue())
        let isOver = Locked(false)
        let recorder = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isOver.withLock({ $0 }) { _ = try? queue.append(0) }
            recorder.signal()
        }
        for round in 0..<100 {
            try other.optOut()
            // A segment may have been created, but nothing is written to it.
            let files = directory.location.segments().map(directory.location.events)
            #expect(files.allSatisfy { directory.location.status(of: $0)?.size ?? 0 == 0 }, "round \(round)")
            try other.optIn()
        }
        isOver.withLock { $0 = true }
        recorder.wait()
        let recorded = directory.queue().numbers()
        #expect(try queue.append(1))
        #expect(directory.queue().numbers() == recorded + [1])
    }
}
