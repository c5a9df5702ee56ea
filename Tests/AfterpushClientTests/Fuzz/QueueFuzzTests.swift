import AfterpushWire
import Foundation
import Glibc
import SeededRandom
import Testing

@testable import AfterpushClient

/// Damages the queue's directory at random and uses it.
@Suite(.timeLimit(.minutes(30))) struct QueueFuzzTests {
    @Test func `any directory is read in little time, yields only recorded events, and accepts new ones`() throws {
        var run = FuzzRun("queue")
        while run.goesOn() {
            let directory = try TestDirectory()
            try directory.location.prepare()
            let known = try Self.fill(directory.location, &run.random)
            try Self.tamper(directory.location.path, &run.random)
            let start = FuzzRun.work
            let isSmall = run.random.happens(percent: 20)
            let queue = directory.queue(maximumBytes: isSmall ? 2_000 : 1 << 30)
            try Self.use(queue, directory.location, &run.random)
            if queue.isOptedOut {
                run.note("opted out")
                try queue.optIn()
            }
            try queue.append(-1)
            let drained = Self.drain(queue)
            // A file with a later name may make it the oldest of a queue that is too large.
            #expect(drained.contains(-1) || isSmall, "the new event is lost")
            #expect(known.union([-1]).isSuperset(of: drained), "an event that was never recorded")
            run.note(Set(drained).isSuperset(of: known) ? "read whole" : "read in part")
            queue.cleanUp(thoroughly: true)
            // A file with two names, one of them a segment's, may have hidden what it acknowledged by the other.
            #expect(known.isSuperset(of: Self.drain(queue)))
            queue.cleanUp(thoroughly: true)
            let left = directory.location.segments().filter {
                directory.location.status(of: directory.location.events($0))?.isRegular == true
            }
            #expect(left.isEmpty)
            #expect(FuzzRun.work - start < 2)
        }
    }

    @Test func `any bytes of a segment are read in little time, and yield only what they contain`() {
        var run = FuzzRun("segments")
        while run.goesOn() {
            let frames = (0..<run.random.number(1...30)).flatMap { Self.frame($0, &run.random) }
            let bytes = run.random.mutated(frames)
            let start = FuzzRun.work
            let scan = SegmentScan(bytes)
            #expect(FuzzRun.work - start < 1)
            var end = 0
            for record in scan.records {
                #expect(
                    record.json.lowerBound >= end + RecordFrame.headerBytes && record.json.upperBound <= bytes.count)
                end = record.json.upperBound
            }
            var batch = Batch()
            batch.append(
                scan, of: "s", limits: BatchLimits(events: 10), oldest: .random(in: .min ... .max, using: &run.random))
            #expect(batch.events.count <= 10 && batch.positions.count <= 1)
            let body = batch.requestBody(
                sentAt: Timestamp(microseconds: .random(in: .min ... .max, using: &run.random)))
            let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
            #expect((object?["events"] as? [Any])?.count == batch.events.count)
            run.note("\(scan.isDamaged ? "damaged" : "intact")")
        }
    }

    // MARK: Input

    /// Fills a directory as the library does, and returns the numbers of its events.
    private static func fill(_ location: QueueLocation, _ random: inout SeededGenerator) throws -> Set<Int> {
        var known: Set<Int> = []
        for index in 0..<random.number(1...3) {
            // Not the present time, so that a seed repeats the names. They sort before the names of new segments.
            let name = String(format: "00%06x-%d", random.number(0...0xFF_FFFF), index)
            var bytes: [UInt8] = []
            for _ in 0..<random.number(0...12) {
                let number = random.number(0...1_000_000)
                known.insert(number)
                bytes += frame(number, &random)
            }
            write(bytes, location.events(name))
            if random.happens(percent: 30) {
                write(Array("\(random.number(0...400))".utf8), location.acknowledged(name))
            }
        }
        let files = [
            "sender": #"{"owner":"x","process":1,"until":1800000000000,"seconds":30}"#,
            "dropped": #"{"age":3,"size":1}"#,
            "device": "6f1c1d2e-3b4a-4c5d-8e9f-0a1b2c3d4e5f", "token": "abc", "permission": "granted",
            "categories": #"{"tag":"\"v1\"","document":"eyJjYXRlZ29yaWVzIjpbXX0="}"#,
            "\(String(UInt32.random(in: 0 ... .max, using: &random), radix: 16)).forwarded": "n1\nbook",
        ]
        for (name, text) in files.sorted(by: { $0.key < $1.key }) where random.happens(percent: 50) {
            write(Array(text.utf8), "\(location.path)/\(name)")
        }
        return known
    }

    /// Returns the frame of an event, sometimes with another time or more text.
    private static func frame(_ number: Int, _ random: inout SeededGenerator) -> [UInt8] {
        let length = random.happens(percent: 5) ? 40_000 : random.number(30...200)
        let isOdd = random.happens(percent: 3)
        let json =
            isOdd
            ? Array(random.one(of: "", "{", "{},{}", " ", "[1]", "{\"a\":1}").utf8) : Sample.json(number, bytes: length)
        let time = random.happens(percent: 3) ? Int64.random(in: .min ... .max, using: &random) : 1_900_000_000_000_000
        return RecordFrame.encode(json, at: Timestamp(microseconds: time))
    }

    private static func write(_ bytes: [UInt8], _ path: String) {
        _ = Intruder.write(bytes, to: path)
    }

    private static func tamper(_ path: String, _ random: inout SeededGenerator) throws {
        for _ in 0..<random.number(0...5) {
            let names = try FileManager.default.contentsOfDirectory(atPath: path).sorted()
            guard let name = random.one(in: names) else { return }
            let file = "\(path)/\(name)"
            switch random.number(0...9) {
            case 0...4:
                guard let bytes = QueueLocation(URL(fileURLWithPath: "/")).contents(of: file, limit: 1 << 20) else {
                    break
                }
                write(random.mutated(bytes), file)
            case 5: unlink(file)
            case 6: rename(file, "\(path)/\(random.one(in: names) ?? name)")
            case 7: link(file, "\(path)/\(random.one(of: "0", "zz", "\u{FFFD}", "-")).events")
            case 8: truncate(file, random.one(of: 0, 1, 15, 16, 17, 1 << 40))
            default:
                let target = random.one(of: name, "x.events", "sender", "dropped", "device", "opted-out", "token")
                try? Intruder.allCases.randomElement(using: &random)?.move(to: "\(path)/\(target)")
            }
        }
    }

    // MARK: Use

    private static func use(_ queue: DiskQueue, _ location: QueueLocation, _ random: inout SeededGenerator) throws {
        let state = SharedState(location: location)
        for _ in 0..<random.number(0...6) {
            switch random.number(0...9) {
            case 0: _ = queue.acquireSenderLease(seconds: 30)
            case 1: queue.releaseSenderLease()
            case 2: _ = state.update(.token, to: "x")
            case 3: state.markForwarded("n1\nbook")
            case 4: _ = state.consumeForwarded("n1\nbook")
            case 5: _ = CategoryCache(location).version(of: "sale")
            case 6: #expect(UUID(uuidString: try InstallationID(location: location).value()) != nil)
            case 7: _ = queue.nextBatch(BatchLimits(events: 3))
            case 8: queue.cleanUp(thoroughly: random.happens(percent: 50))
            default: DropCounter(location: location).add(.age, .random(in: .min ... .max, using: &random))
            }
        }
    }

    /// Acknowledges everything, as many batches as there can be.
    private static func drain(_ queue: DiskQueue) -> [Int] {
        var numbers: [Int] = []
        for _ in 0..<2_000 {
            let batch = queue.nextBatch(BatchLimits(events: 7))
            if batch.positions.isEmpty { return numbers }
            numbers += batch.events.compactMap(Sample.number)
            queue.acknowledge(batch)
        }
        Issue.record("the queue never gets empty")
        return numbers
    }
}
