import AfterpushWire
import Foundation
import Glibc
import Subprocess
import Testing

@testable import AfterpushClient

struct SenderLeaseTests {
    private let directory: TestDirectory
    private let time = Locked(Timestamp(microseconds: 1_800_000_000_000_000))

    init() throws {
        directory = try TestDirectory()
        try directory.location.prepare()
    }

    private func lease() -> SenderLease {
        SenderLease(directory.location, now: { [time] in time.withLock { $0 } })
    }

    private func pass(seconds: Int64) {
        time.withLock { $0 = Timestamp(microseconds: $0.microseconds + seconds * 1_000_000) }
    }

    @Test func `one instance sends at a time until it releases the lease`() {
        let (one, other) = (lease(), lease())
        #expect(one.acquire(seconds: 30))
        #expect(!other.acquire(seconds: 30))
        #expect(one.acquire(seconds: 30), "its own is renewed")
        other.release()
        #expect(!other.acquire(seconds: 30), "only the holder lets go")
        one.release()
        #expect(other.acquire(seconds: 30))
    }

    @Test func `a lease expires`() {
        let (one, other) = (lease(), lease())
        #expect(one.acquire(seconds: 30))
        pass(seconds: 29)
        #expect(!other.acquire(seconds: 30))
        pass(seconds: 1)
        #expect(other.acquire(seconds: 30))
    }

    @Test func `setting the clock back does not prolong a lease`() {
        let (one, other) = (lease(), lease())
        #expect(one.acquire(seconds: 30))
        pass(seconds: -86_400)
        #expect(other.acquire(seconds: 30))
    }

    @Test func `a process that has ended holds no lease`() async throws {
        let ended = try await Subprocess.run(.name("true"), output: .discarded).processIdentifier.value
        let milliseconds = time.withLock { $0.microseconds } / 1_000 + 20_000
        let text =
            #"{"owner":"x","process":\#(ended),"until":\#(milliseconds),"seconds":30}"#
        try Data(text.utf8).write(to: URL(fileURLWithPath: directory.location.lease))
        #expect(lease().acquire(seconds: 30))
        // A live process does.
        let heldByParent = text.replacingOccurrences(of: "\(ended)", with: "\(getppid())")
        try Data(heldByParent.utf8).write(to: URL(fileURLWithPath: directory.location.lease))
        #expect(!lease().acquire(seconds: 30))
    }

    @Test func `an empty or unreadable lease file holds no lease`() throws {
        try Data("{".utf8).write(to: URL(fileURLWithPath: directory.location.lease))
        #expect(lease().acquire(seconds: 30))
    }
}
