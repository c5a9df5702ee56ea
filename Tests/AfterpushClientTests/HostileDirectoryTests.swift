import AfterpushWire
import Foundation
import Glibc
import Testing
import Zlib

@testable import AfterpushClient

/// Tests what other programs may have done to the queue's directory: an app group is shared, and a backup can be edited.
@Suite(.serialized, .timeLimit(.minutes(5))) struct HostileDirectoryTests {
    private let directory: TestDirectory
    private let path: String

    init() throws {
        directory = try TestDirectory()
        path = directory.location.path
        try directory.location.prepare()
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    private func client(_ transport: any EventTransport = ScriptedTransport()) -> AfterpushClient {
        AfterpushClient(directory.configuration { $0.deviceID = nil }, transport: transport)
    }

    // MARK: What is no file

    private static let response = DeviceEvent.opened(NotificationReference("n1"))
    private static let forwarded =
        String(Gzip.checksum(Array("n1\ncom.apple.UNNotificationDefaultActionIdentifier".utf8)[...]), radix: 16)
        + ".forwarded"
    private static let names = [
        "x.events", "0.events", "SEGMENT.sent", "SEGMENT.sent.draft", "gone.sent", "sender", "dropped", "device",
        "categories", "token", "permission", forwarded,
    ]

    @Test(arguments: names, Intruder.allCases)
    func `no event is lost and nothing hangs, whatever has the name of a file`(name: String, intruder: Intruder)
        async throws
    {
        let first = client()
        var ids = [try await first.record(.appOpened), try await first.record(.appOpened)]
        let segment = try #require(directory.location.segments().first)
        try intruder.move(to: "\(path)/\(name.replacingOccurrences(of: "SEGMENT", with: segment))")
        let transport = ScriptedTransport()
        let second = client(transport)
        let outcome = try await result(within: 30) { [ids] in
            var ids = ids
            ids.append(try await second.record(.appOpened))
            ids.append(try await second.recordToken(Data([1, 2, 3])))
            ids.append(try await second.recordPermission(isGranted: true))
            second.markForwarded(Self.response)
            _ = second.consumeForwarded(Self.response)
            _ = second.categories()
            _ = await second.fetchCategories()
            ids.append(try await second.record(.opened(NotificationReference("n1", categoryID: "c"))))
            let outcome = await second.flush(within: 10)
            return (ids, outcome)
        }
        ids = try #require(outcome, "it hangs").0
        #expect(outcome?.1 == .completed)
        #expect(Set(transport.acknowledged) == Set(ids.compactMap(\.self)))
        #expect(Set(transport.posts.flatMap(\.events).map { $0.deviceID?.utf8.count }) == [36])
    }

    @Test(arguments: Intruder.allCases)
    func `a person can opt out and in again, whatever has the name of the decision`(intruder: Intruder) async throws {
        let first = client()
        try await first.record(.appOpened)
        try intruder.move(to: directory.location.optOut)
        let transport = ScriptedTransport()
        let second = client(transport)
        let id = try await result(within: 30) {
            _ = try await second.record(.appOpened)
            _ = await second.flush(within: 5)
            try await second.optOut()
            #expect(second.isOptedOut)
            #expect(try await second.record(.appOpened) == nil)
            try await second.optIn()
            let id = try await second.record(.appOpened)
            #expect(await second.flush(within: 5) == .completed)
            return id
        }
        #expect(transport.acknowledged == [try #require(id)])
    }

    @Test(arguments: Intruder.allCases)
    func `recording fails with an error if the directory itself is something else`(intruder: Intruder) async throws {
        try FileManager.default.removeItem(atPath: path)
        try intruder.move(to: path)
        guard intruder != .directory else { return }
        let client = client()
        let isRefused = try await result(within: 10) {
            await #expect(throws: RecordError.self) { try await client.record(.appOpened) }
            _ = client.categories()
            client.markForwarded(Self.response)
            return await client.flush(within: 5)
        }
        #expect(isRefused == .completed)
    }

    @Test func `no descriptor is leaked by what is no file`() throws {
        try Intruder.pipe.move(to: "\(path)/x.events")
        let queue = directory.queue()
        func count() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        _ = queue.nextBatch(BatchLimits(events: 1))
        let before = try count()
        for _ in 0..<300 { _ = queue.nextBatch(BatchLimits(events: 1)) }
        #expect(try count() < before + 100)
    }

    // MARK: Numbers

    @Test(arguments: [
        #"{"owner":"x","process":1,"until":-9223372036854775808,"seconds":30}"#,
        #"{"owner":"x","process":1,"until":9223372036854775807,"seconds":1e300}"#,
        #"{"owner":"x","process":1,"until":9223372036854775807,"seconds":1e15}"#,
        #"{"owner":"x","process":1,"until":1800000000000001,"seconds":-1e300}"#,
        #"{"owner":"x","process":-2147483648,"until":1800000010000,"seconds":30}"#,
        #"{"owner":"x","process":0,"until":1800000010000,"seconds":30}"#,
        #"{"owner":"x","process":-1,"until":1800000010000,"seconds":30}"#,
        #"{"owner":"x","process":99999999999,"until":1800000010000,"seconds":30}"#,
        String(repeating: "[", count: 100_000),
    ])
    func `a lease with impossible numbers is free`(text: String) throws {
        try write(text, to: "sender")
        let lease = SenderLease(directory.location, now: { Timestamp(microseconds: 1_800_000_000_000_000) })
        #expect(lease.acquire(seconds: 30))
        #expect(lease.acquire(seconds: 86_415))
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "-5", "1e300", "4611686018427387904", "1e400"])
    func `counts of dropped events of any size are survived and not reported`(count: String) throws {
        try write(#"{"age":\#(count),"size":2,"refused":\#(count),"other":\#(count)}"#, to: "dropped")
        let drops = DropCounter(location: directory.location)
        drops.add(.age, 3)
        drops.add(.size, 1)
        let reported = try drops.report { $0 }
        #expect(reported[.age] == 3 && reported[.refused, default: 0] == 0)
        #expect((1...3).contains(reported[.size] ?? 0))
    }

    @Test(arguments: ["9223372036854775807", "100000000", "9223372036854775808", "-1", "+41", " 41", "4.1e1"])
    func `a count of acknowledged bytes beyond the end of the segment loses no event`(text: String) throws {
        let queue = directory.queue()
        for number in 0..<3 { try queue.append(number) }
        let segment = try #require(directory.location.segments().first)
        try write(text, to: "\(segment).sent")
        let next = directory.queue()
        #expect(next.drain().suffix(2) == [1, 2])
        directory.removeSegments(by: next)
        #expect(directory.location.segments().isEmpty)
    }

    @Test func `frames with any length and any time are read without a trap`() throws {
        let lengths: [UInt32] = [0, 1, 65_536, 65_537, 0x7FFF_FFFF, 0x8000_0000, .max]
        for milliseconds in [Int64.min, -1, 0, 1, Int64.max] {
            for length in lengths {
                var frame = RecordFrame.encode(Sample.json(7), at: Clock.now())
                withUnsafeBytes(of: milliseconds.bigEndian) { frame.replaceSubrange(8..<16, with: $0) }
                withUnsafeBytes(of: Gzip.checksum(frame[8...]).bigEndian) { frame.replaceSubrange(4..<8, with: $0) }
                let intact = frame
                withUnsafeBytes(of: length.bigEndian) { frame.replaceSubrange(0..<4, with: $0) }
                try Data(intact + frame + intact).write(to: URL(fileURLWithPath: "\(path)/x.events"))
                let queue = directory.queue()
                let batch = queue.nextBatch(BatchLimits(events: 10))
                #expect(batch.events.count + batch.expired == 2 && batch.damaged <= 1)
                queue.acknowledge(batch)
                #expect(DropCounter(location: directory.location).isEmpty || milliseconds < 2 || batch.damaged > 0)
                unlink("\(path)/x.events")
                unlink("\(path)/x.sent")
            }
        }
    }

    @Test func `a clock at any time records and sends`() async throws {
        for microseconds in [Int64.min, -1, 0, Int64.max, Int64.max / 1_000] {
            let transport = ScriptedTransport { _, _ in .text(200, "{}") }
            let time = Timestamp(microseconds: microseconds)
            let client = AfterpushClient(directory.configuration(), transport: transport, now: { time })
            try await client.record(.appOpened)
            _ = await client.flush(within: 0.05)
            try await client.optOut()
            try await client.optIn()
        }
    }

    // MARK: Content

    @Test(arguments: [
        "", " ", "{", "}", "null", "{},{}", #"{"a":1}],"events":[{"b":2}"#, "]}", "[{}]", "\"x\"", "\u{FEFF}{}", "{}{}",
        "{\"a\":\u{0}}", String(repeating: "[", count: 60_000), "{\"a\":" + String(repeating: "[", count: 30_000) + "}",
    ])
    func `an entry that is not one JSON object is dropped and counted, and stops no other event`(text: String)
        async throws
    {
        let transport = ScriptedTransport()
        let client = client(transport)
        let first = try await client.record(.appOpened)
        let frame = RecordFrame.encode(Array(text.utf8), at: Clock.now())
        try Data(frame).write(to: URL(fileURLWithPath: "\(path)/0.events"))
        #expect(await client.flush(within: 10) == .completed)
        #expect(transport.acknowledged == [try #require(first)])
        #expect(await client.counts.dropped == (text.isEmpty ? [:] : [.damaged: 1]))
    }

    @Test func `a damaged segment is searched in little time, however many checksums it suggests`() throws {
        // Every third byte begins a plausible frame of 32 KB.
        let pattern = (0..<200_000).map { UInt8($0 % 3 == 2 ? 0x7F : 0) }
        for number in 0..<20 {
            try Data(pattern + RecordFrame.encode(Sample.json(number), at: Clock.now()))
                .write(to: URL(fileURLWithPath: "\(path)/\(number).events"))
        }
        let directory = directory
        let hasEnded = ends(within: 10) {
            let queue = directory.queue()
            _ = queue.drain()
            directory.removeSegments(by: queue)
            #expect(directory.location.segments().isEmpty)
        }
        #expect(hasEnded)
    }

    @Test func `files of any size take little memory`() throws {
        let queue = directory.queue()
        for number in 0..<3 { try queue.append(number) }
        for name in [
            "0.events", "1.events", "y.events", "y.sent", "sender", "dropped", "device", "categories", "token",
        ] {
            try Intruder.huge.move(to: "\(path)/\(name)")
        }
        // Their sizes add up to more than a number can be.
        for number in 0..<3 { _ = Intruder.write([], to: "\(path)/z\(number).events", size: (8 << 40) - 4_096) }
        #expect(directory.queue().drain() == [0, 1, 2])
        #expect(CategoryCache(directory.location).stored == nil)
        #expect(SharedState(location: directory.location).update(.token, to: "x"))
        #expect(try InstallationID(location: directory.location).value().utf8.count == 36)
        let sender = directory.queue()
        directory.removeSegments(by: sender)
        #expect(directory.location.segments().isEmpty)
    }

    @Test func `a segment that another program has made larger is read in its first part and removed`() throws {
        let queue = directory.queue()
        for number in 0..<3 { try queue.append(number) }
        let segment = try #require(directory.location.segments().first)
        #expect(truncate(directory.location.events(segment), 1 << 40) == 0)
        let sender = directory.queue()
        #expect(sender.drain() == [0, 1, 2])
        directory.removeSegments(by: sender)
        #expect(directory.location.segments().isEmpty)
    }

    @Test(arguments: ["not a UUID", "x", String(repeating: "a", count: 5_000), "\u{0}\u{FFFD}", " "])
    func `a device id that this library did not make is replaced`(text: String) throws {
        try write(text, to: "device")
        let id = try InstallationID(location: directory.location).value()
        #expect(UUID(uuidString: id) != nil)
        #expect(try InstallationID(location: directory.location).value() == id)
    }

    @Test(arguments: ["", "{", #"{"tag":"a\r\nb","document":"e30="}"#, #"{"tag":5,"document":[]}"#])
    func `stored categories that this library did not write are ignored`(text: String) async throws {
        try write(text, to: "categories")
        let transport = ScriptedTransport()
        let client = client(transport)
        #expect(client.categories() == [])
        #expect(CategoryCache(directory.location).stored?.tag == nil)
    }

    @Test func `names that can't be files of the queue are ignored`() throws {
        let queue = directory.queue()
        try queue.append(1)
        // A complete event, which is drained if its file's name is accepted.
        let frame = RecordFrame.encode(Sample.json(2), at: Clock.now())
        for stem in ["", String(repeating: "é", count: 120), String(repeating: "9", count: 240)] {
            try Data(frame).write(to: URL(fileURLWithPath: "\(path)/\(stem).events"))
        }
        for name in ["..events", "-1.events", "%s%n.events", "\u{202E}.events", ".sent", ".sent.draft"] {
            try write("x", to: name)
        }
        // A name that is not UTF-8.
        let name: [CChar] = "\(path)/".utf8CString.dropLast() + [-1, -2] + ".events".utf8CString
        let file = open(name, O_WRONLY | O_CREAT, 0o600)
        #expect(file >= 0 && Glibc.write(file, frame, frame.count) == frame.count)
        close(file)
        #expect(directory.queue().drain() == [1])
        directory.queue().cleanUp(thoroughly: true)
    }

    @Test func `a directory of many thousand entries is read in little time`() throws {
        let queue = directory.queue()
        try queue.append(1)
        for number in 0..<40_000 {
            let ending = ["events", "sent", "forwarded", "x"][number % 4]
            close(open("\(path)/\(number).\(ending)", O_WRONLY | O_CREAT, 0o600))
        }
        let directory = directory
        let hasEnded = ends(within: 20) {
            let sender = directory.queue()
            #expect(sender.drain() == [1])
            directory.removeSegments(by: sender)
            SharedState(location: directory.location).markForwarded("n1")
            SharedState(location: directory.location).removeAll()
        }
        #expect(hasEnded)
        #expect(directory.location.segments().isEmpty)
    }

    @Test func `all segments are visited in order, however many pages they take`() throws {
        try directory.location.prepare()
        let names = (0..<2 * QueueLocation.pageSize + 5).map { String(1_000_000 + $0) }
        for name in names.shuffled() { close(open("\(path)/\(name).events", O_WRONLY | O_CREAT, 0o600)) }
        var visited: [String] = []
        directory.location.forEachSegment {
            visited.append($0)
            return true
        }
        #expect(visited == names)
    }

    @Test func `an event behind more segments than are listed at a time is sent`() async throws {
        let transport = ScriptedTransport()
        let client = client(transport)
        let id = try await client.record(.appOpened)
        for number in 0..<QueueLocation.pageSize + 10 {
            close(open("\(path)/-\(number).events", O_WRONLY | O_CREAT, 0o600))
        }
        #expect(await client.flush(within: 30) == .completed)
        #expect(transport.acknowledged == [try #require(id)])
        directory.removeSegments(by: directory.queue())
        #expect(directory.location.segments().isEmpty)
    }

    @Test func `a program that removes every new file makes recording fail, not hang`() throws {
        let directory = directory
        let isDone = Locked(false)
        Thread.detachNewThread {
            while !isDone.withLock({ $0 }) {
                for segment in directory.location.segments() { unlink(directory.location.events(segment)) }
            }
        }
        defer { isDone.withLock { $0 = true } }
        let hasEnded = ends(within: 20) {
            let queue = directory.queue()
            for number in 0..<200 { _ = try? queue.append(number) }
        }
        #expect(hasEnded)
    }
}
