import AfterpushWire
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A queue in a directory that all processes of an app share.
///
/// Any number of instances and processes append to it, each to segments of its own. The one that holds the sender's lease
/// sends the events of all segments, including those of processes that have ended. An event stays until it is
/// acknowledged, dropped, or deleted because the person opts out.
final class DiskQueue: EventQueue {
    private let location: QueueLocation
    private let writer: SegmentWriter
    private let lease: SenderLease
    /// A second holder for recording, so that releasing it doesn't release the lease of sending.
    private let pruningLease: SenderLease
    private let drops: DropCounter
    private let optOutFile: OptOutFile
    private let maximumBytes: Int
    private let maximumAge: Double
    private let now: @Sendable () -> Timestamp
    /// The acknowledged offset of each segment, because a full disk may not store it.
    private let acknowledgedOffsets = Locked<[String: Int]>([:])
    /// The segment after which the next batch begins: empty, unless a page of segments without an event precedes it.
    private let pageStart = Locked("")

    /// The seconds for which a sent segment is kept after its last write, so that not every request creates a file.
    private static let idleSeconds = 10
    /// The seconds after which removing sent segments is continued another time.
    private static let cleanUpSeconds = 2.0

    init(
        _ location: QueueLocation, maximumBytes: Int, maximumAge: Double, now: @escaping @Sendable () -> Timestamp
    ) {
        self.location = location
        self.maximumBytes = maximumBytes
        self.maximumAge = maximumAge
        self.now = now
        writer = SegmentWriter(location)
        lease = SenderLease(location, now: now)
        pruningLease = SenderLease(location, now: now)
        drops = DropCounter(location: location)
        optOutFile = OptOutFile(location: location)
    }

    // MARK: Recording

    func append(at time: Timestamp, _ json: ([DropReason: Int]) throws(RecordError) -> [UInt8]) throws(RecordError)
        -> Bool
    {
        if location.isOptedOut { return false }
        let outcome = try appendWithDrops(at: time, json)
        // Without a network, the queue would otherwise grow past its limit. This counts drops, so it must come after the
        // drop counter's lock was released.
        if outcome == .appendedToNext, pruningLease.acquire(seconds: 5) {
            prune()
            pruningLease.release()
        }
        return outcome != .optedOut
    }

    private func appendWithDrops(
        at time: Timestamp, _ json: ([DropReason: Int]) throws(RecordError) -> [UInt8]
    ) throws(RecordError) -> SegmentWriter.Outcome {
        if drops.isEmpty { return try append(json([:]), at: time) }
        do {
            return try drops.report { counts throws(FileError) in
                guard let json = try? json(counts) else { throw FileError.notFound }
                return try write(json, at: time)
            }
        } catch {
            // Whatever the reason, the event matters more than the counts.
            return try append(json([:]), at: time)
        }
    }

    private func append(_ json: [UInt8], at time: Timestamp) throws(RecordError) -> SegmentWriter.Outcome {
        guard json.count <= RecordFrame.maximumBytes else { throw RecordError.tooLarge(bytes: json.count) }
        do throws(FileError) {
            return try write(json, at: time)
        } catch {
            throw RecordError(error)
        }
    }

    private func write(_ json: [UInt8], at time: Timestamp) throws(FileError) -> SegmentWriter.Outcome {
        try writer.append(RecordFrame.encode(json, at: time), at: time)
    }

    // MARK: Sending

    func acquireSenderLease(seconds: Double) -> Bool {
        guard access(location.path, F_OK) == 0 else { return true }
        return lease.acquire(seconds: seconds)
    }

    func releaseSenderLease() {
        guard access(location.path, F_OK) == 0 else { return }
        lease.release()
    }

    func nextBatch(_ limits: BatchLimits) -> Batch {
        // A process that was killed while it opted out may have left events.
        if location.isOptedOut { return Batch() }
        let start = pageStart.withLock { $0 }
        if start.isEmpty { prune() }
        let oldest = now().microseconds / 1_000 - Int64(maximumAge * 1_000)
        var batch = Batch()
        let segments = location.segments(after: start)
        for segment in segments where batch.hasRoom(limits) {
            // It may have been removed since it was listed, or be unreadable for now.
            guard let scan = try? scan(segment) else { continue }
            batch.append(scan, of: segment, limits: limits, oldest: oldest)
        }
        batch.isPartial = batch.positions.isEmpty && segments.count == QueueLocation.pageSize
        pageStart.withLock { $0 = batch.isPartial ? segments.last ?? "" : "" }
        return batch
    }

    func acknowledge(_ batch: Batch) {
        for position in batch.positions {
            acknowledgedOffsets.withLock { $0[position.segment] = position.offset }
            // If this can't be stored, the next process sends the events again, and the collector detects the duplicates.
            try? location.acknowledge(position.segment, upTo: position.offset)
        }
        drops.add(.age, batch.expired)
        drops.add(.damaged, batch.damaged)
    }

    func drop(_ batch: Batch, _ reason: DropReason) {
        acknowledge(batch)
        drops.add(reason, batch.events.count)
    }

    func cleanUp(thoroughly: Bool) {
        _ = try? optOutFile.emptyQueue()
        let end = Clock.uptime() + Self.cleanUpSeconds
        location.forEachSegment { segment in
            removeIfSent(segment, thoroughly: thoroughly)
            return Clock.uptime() < end
        }
        // Processes that were killed may have left drafts.
        for ending in [".sent", ".sent.draft"] {
            location.forEachName(endingWith: ending) { segment in
                if !exists(segment) { unlink("\(location.path)/\(segment)\(ending)") }
            }
        }
        acknowledgedOffsets.withLock { $0 = $0.filter { exists($0.key) } }
    }

    // MARK: Opting out

    func optOut() throws(RecordError) {
        do throws(FileError) { try optOutFile.optOut() } catch { throw RecordError(error) }
    }

    func optIn() throws(RecordError) {
        do throws(FileError) { try optOutFile.optIn() } catch { throw RecordError(error) }
    }

    var isOptedOut: Bool { location.isOptedOut }

    // MARK: Segments

    private func exists(_ segment: String) -> Bool {
        location.status(of: location.events(segment)) != nil
    }

    /// Reads the events of a segment that are not acknowledged.
    private func scan(_ segment: String) throws(FileError) -> SegmentScan {
        let file = try OpenFile(location.events(segment), O_RDONLY)
        let scan = try scan(segment, file)
        guard scan.isDamaged else { return scan }
        // A write in progress can look like damage. The lock excludes writers, so what is damaged under it stays damaged.
        try file.lock()
        defer { file.unlock() }
        return try self.scan(segment, file)
    }

    private func scan(_ segment: String, _ file: OpenFile) throws(FileError) -> SegmentScan {
        // No writer makes a segment larger than is read here.
        let size = min(try file.state().size, SegmentScan.maximumBytes)
        let offsets = [location.acknowledgedOffset(of: segment), acknowledgedOffsets.withLock { $0[segment] ?? 0 }]
        // An offset beyond the end was not written for this segment.
        let start = offsets.filter { $0 <= size }.max() ?? 0
        return SegmentScan(try file.read(at: start, count: size - start), from: start)
    }

    /// Removes a segment whose events are all acknowledged. Unless `thoroughly`, it keeps one that was written to lately.
    private func removeIfSent(_ segment: String, thoroughly: Bool) {
        guard let file = try? OpenFile(location.events(segment), O_RDWR), let state = try? file.state() else { return }
        let age = Int(Date().timeIntervalSince1970) - state.modified
        guard thoroughly || state.size >= SegmentWriter.segmentBytes || age >= Self.idleSeconds || age < 0 else {
            return
        }
        guard file.tryLock() else { return }
        defer { file.unlock() }
        // No process writes while this has the lock, so an incomplete event stays incomplete.
        guard let scan = try? scan(segment, file), scan.records.isEmpty else { return }
        location.remove(segment, file)
    }

    /// Drops the oldest segments until the queue is within its size limit. It keeps at least the newest one.
    private func prune() {
        var (count, size) = (0, Int64(0))
        location.forEachName(endingWith: ".events") { segment in
            count += 1
            size += bytes(of: segment)
        }
        guard size > maximumBytes else { return }
        location.forEachSegment { segment in
            guard size > maximumBytes, count > 1 else { return false }
            count -= 1
            size -= bytes(of: segment)
            guard let file = try? OpenFile(location.events(segment), O_RDWR), file.tryLock() else { return true }
            let lost = try? scan(segment, file).records.count
            location.remove(segment, file)
            file.unlock()
            drops.add(.size, lost ?? 0)
            return true
        }
    }

    /// Returns the size of a segment. A file that claims more than a writer puts into one counts as that much: otherwise
    /// it would cost the events of all others.
    private func bytes(of segment: String) -> Int64 {
        guard let status = location.status(of: location.events(segment)), status.isRegular else { return 0 }
        return Int64(min(status.size, SegmentScan.maximumBytes))
    }
}
