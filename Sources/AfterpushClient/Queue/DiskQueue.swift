import AfterpushWire
import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The queue in a directory: what is appended stays until it is acknowledged, dropped or opted out of.
///
/// Any number of instances and processes append to it and send from it. Each appends to segments of its own. The one
/// that has the lease sends from all of them, those of processes that ended included.
final class DiskQueue: EventQueue {
    private let place: QueueLocation
    private let writer: SegmentWriter
    private let lease: SenderLease
    /// Of recording, which must not end the lease of sending.
    private let pruningLease: SenderLease
    private let drops: DropLedger
    private let maximumBytes: Int
    private let maximumAge: Double
    private let now: @Sendable () -> Timestamp
    /// Acknowledged bytes by segment, which a full disk may not have taken.
    private let acknowledgedHere = Locked<[String: Int]>([:])

    /// Segments that were written to in so many seconds are kept, so that not each request costs a new file.
    private static let idleSeconds = 10

    init(
        _ place: QueueLocation, maximumBytes: Int, maximumAge: Double, now: @escaping @Sendable () -> Timestamp
    ) {
        self.place = place
        self.maximumBytes = maximumBytes
        self.maximumAge = maximumAge
        self.now = now
        writer = SegmentWriter(place)
        lease = SenderLease(place, now: now)
        pruningLease = SenderLease(place, now: now)
        drops = DropLedger(place: place)
    }

    // MARK: Recording

    func append(at time: Timestamp, _ json: ([DropReason: Int]) throws(RecordError) -> [UInt8]) throws(RecordError)
        -> Bool
    {
        if place.isOptedOut { return false }
        let outcome = try outcome(at: time, json)
        // Else what is recorded while nothing can be sent would grow past its bound. Not while the ledger is held, which
        // counts what goes.
        if outcome == .appendedToNext, pruningLease.take(seconds: 5) {
            prune()
            pruningLease.release()
        }
        return outcome != .optedOut
    }

    private func outcome(
        at time: Timestamp, _ json: ([DropReason: Int]) throws(RecordError) -> [UInt8]
    ) throws(RecordError) -> SegmentWriter.Outcome {
        if drops.isEmpty { return try append(json([:]), at: time) }
        // Encoded first: the ledger's own errors are those of files.
        do {
            return try drops.tell { counts throws(FileError) in
                guard let json = try? json(counts) else { throw FileError.notFound }
                return try write(json, at: time)
            }
        } catch {
            // Whatever the reason, the event is worth more than the count.
            return try append(json([:]), at: time)
        }
    }

    private func append(_ json: [UInt8], at time: Timestamp) throws(RecordError) -> SegmentWriter.Outcome {
        guard json.count <= RecordFrame.longest else { throw RecordError.tooLarge(bytes: json.count) }
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

    func mayBeSent(forNext seconds: Double) -> Bool {
        guard access(place.path, F_OK) == 0 else { return true }
        return lease.take(seconds: seconds)
    }

    func endSending() {
        guard access(place.path, F_OK) == 0 else { return }
        lease.release()
    }

    func batch(_ limits: BatchLimits) -> Batch {
        // A process that was killed while it opted out may have left events.
        if place.isOptedOut { return Batch() }
        prune()
        let oldest = now().microseconds / 1_000 - Int64(maximumAge * 1_000)
        var batch = Batch()
        for segment in place.segments() where batch.hasRoom(limits) {
            let start = acknowledged(segment)
            // Gone since it was listed, or unreadable for now.
            guard let scan = try? scan(segment, from: start) else { continue }
            batch.take(scan, of: segment, from: start, limits: limits, oldest: oldest)
        }
        return batch
    }

    func acknowledge(_ batch: Batch) {
        for mark in batch.marks {
            acknowledgedHere.withLock { $0[mark.segment] = mark.offset }
            // If this can't be written, the next process sends the events again, and they count once all the same.
            try? place.acknowledge(mark.segment, upTo: mark.offset)
        }
        drops.add(.age, batch.expired)
        drops.add(.damaged, batch.damaged)
    }

    func drop(_ batch: Batch, _ reason: DropReason) {
        acknowledge(batch)
        drops.add(reason, batch.events.count)
    }

    func tidy(thoroughly: Bool) {
        _ = try? emptyIfOptedOut()
        let segments = place.segments()
        for segment in segments { retire(segment, thoroughly: thoroughly) }
        for segment in place.names(endingWith: ".sent") where !segments.contains(segment) {
            unlink(place.sent(segment))
        }
        // Of processes that were killed while they wrote them.
        for draft in place.names(endingWith: ".sent.draft") where !segments.contains(draft) {
            unlink(place.sent(draft) + ".draft")
        }
        acknowledgedHere.withLock { $0 = $0.filter { segments.contains($0.key) } }
    }

    // MARK: Opting out

    // The file `opted-out` is the decision. Whoever empties the queue, or removes the file, holds its lock: otherwise a
    // process that is still emptying the queue would remove events that were recorded after another one had opted in.

    func optOut() throws(RecordError) {
        do throws(FileError) {
            try place.prepare()
            repeat { try createOptOut() } while try !emptyIfOptedOut()
            place.synchronize()
        } catch {
            throw RecordError(error)
        }
    }

    func optIn() throws(RecordError) {
        do throws(FileError) {
            // A process that was killed while it opted out left events, which must not come back.
            _ = try emptyIfOptedOut { () throws(FileError) in
                guard unlink(place.optOut) == 0 || errno == ENOENT else { throw FileError() }
            }
            place.synchronize()
        } catch {
            throw RecordError(error)
        }
    }

    private func createOptOut() throws(FileError) {
        do throws(FileError) {
            _ = try OpenFile(place.optOut, O_WRONLY | O_CREAT | O_TRUNC)
        } catch {
            // A full disk has no room for another file, and removing a file that somebody has open frees none. So a
            // segment is renamed to the file; without a segment, the queue's other files make room for it.
            if place.segments().contains(where: becomesOptOut) { return }
            empty()
            _ = try OpenFile(place.optOut, O_WRONLY | O_CREAT | O_TRUNC)
        }
    }

    /// Renames a segment to the file `opted-out`, under the segment's lock, so that its writer notices.
    private func becomesOptOut(_ segment: String) -> Bool {
        guard let file = try? OpenFile(place.events(segment), O_RDWR), (try? file.lock()) != nil else { return false }
        defer { file.unlock() }
        guard rename(place.events(segment), place.optOut) == 0 else { return false }
        try? file.truncate(to: 0)
        unlink(place.sent(segment))
        return true
    }

    /// Empties the queue if the person opted out, then calls `body`.
    ///
    /// - Returns: False if the person did not opt out, or has opted in meanwhile.
    private func emptyIfOptedOut(
        then body: () throws(FileError) -> Void = {}
    ) throws(FileError) -> Bool {
        guard place.isOptedOut else { return false }
        let file: OpenFile
        do throws(FileError) {
            file = try OpenFile(place.optOut, O_RDONLY)
        } catch {
            if error == .notFound { return false }
            throw error
        }
        try file.lock()
        defer { file.unlock() }
        guard try file.state().isLinked else { return false }
        empty()
        try body()
        return true
    }

    private func empty() {
        for segment in place.segments() {
            guard let file = try? OpenFile(place.events(segment), O_RDWR), (try? file.lock()) != nil else { continue }
            place.remove(segment, file)
            file.unlock()
        }
        for file in [place.drops, place.device] { unlink(file) }
    }

    var isOptedOut: Bool { place.isOptedOut }

    // MARK: Segments

    private func acknowledged(_ segment: String) -> Int {
        max(place.acknowledged(segment), acknowledgedHere.withLock { $0[segment] ?? 0 })
    }

    /// What of a segment is not acknowledged.
    private func scan(_ segment: String, from start: Int) throws(FileError) -> SegmentScan {
        let file = try OpenFile(place.events(segment), O_RDONLY)
        let scan = try Self.scan(file, from: start)
        guard scan.isDamaged else { return scan }
        // Perhaps only half written: not so under the lock.
        try file.lock()
        defer { file.unlock() }
        return try Self.scan(file, from: start)
    }

    private static func scan(_ file: OpenFile, from start: Int) throws(FileError) -> SegmentScan {
        let size = try file.state().size
        return SegmentScan(try file.read(at: start, count: size - start))
    }

    /// Removes a segment of which everything is acknowledged.
    private func retire(_ segment: String, thoroughly: Bool) {
        guard let file = try? OpenFile(place.events(segment), O_RDWR), let state = try? file.state() else { return }
        let age = Int(Date().timeIntervalSince1970) - state.modified
        guard thoroughly || state.size >= SegmentWriter.segmentBytes || age >= Self.idleSeconds || age < 0 else {
            return
        }
        guard file.lockAtOnce() else { return }
        defer { file.unlock() }
        // Under the lock nobody is writing: what is no whole event by now will never be one.
        guard let scan = try? Self.scan(file, from: acknowledged(segment)), scan.records.isEmpty else { return }
        place.remove(segment, file)
    }

    /// Drops the oldest segments until the queue is no larger than it may be.
    private func prune() {
        var sizes = place.segments().map { segment in
            (segment, (try? OpenFile(place.events(segment), O_RDONLY).state().size) ?? 0)
        }
        var size = sizes.reduce(0) { $0 + $1.1 }
        while size > maximumBytes, sizes.count > 1 {
            let (segment, bytes) = sizes.removeFirst()
            size -= bytes
            guard let file = try? OpenFile(place.events(segment), O_RDWR), file.lockAtOnce() else { continue }
            let lost = try? Self.scan(file, from: acknowledged(segment)).records.count
            place.remove(segment, file)
            file.unlock()
            drops.add(.size, lost ?? 0)
        }
    }
}
