package import Dialects
package import Events
package import Ingest
import Synchronization

/// Stores the events of files as the collector stores those of requests: validated, in groups, and each once.
///
/// A few lanes process chunks concurrently: while the database stores the group of one, the others prepare theirs.
/// Progress is not saved: a run after an interruption counts the events stored already as duplicates.
package struct Importer: Sendable {
    private let sink: any EventSink
    private let foreign: ForeignContext
    private let lanes: Int
    private let context: @Sendable (Submission) async throws -> ValidationContext
    private let prepare: @Sendable ([Event]) async throws -> Void
    private let counter = DialectCounter()
    private let count: @Sendable ([DialectCounter.Entry: DialectCounter.Counts]) async throws -> Void

    /// Creates an importer that stores events in a sink.
    ///
    /// - Parameters:
    ///   - foreign: What turning other systems' records into events depends on.
    ///   - lanes: The maximum number of groups stored at once.
    ///   - context: Returns the context in which a submission is validated.
    ///   - prepare: Called before a group is stored.
    ///   - count: Stores what became of other systems' events.
    package init(
        sink: any EventSink, foreign: ForeignContext, lanes: Int = 3,
        context: @escaping @Sendable (Submission) async throws -> ValidationContext,
        prepare: @escaping @Sendable ([Event]) async throws -> Void = { _ in },
        count: @escaping @Sendable ([DialectCounter.Entry: DialectCounter.Counts]) async throws -> Void = { _ in }
    ) {
        self.sink = sink
        self.foreign = foreign
        self.lanes = lanes
        self.context = context
        self.prepare = prepare
        self.count = count
    }

    /// Stores everything that can be read.
    ///
    /// - Parameter onProgress: Called after each group, with the tally of all records so far.
    /// - Throws: `ImportError.storage` if the database refuses the events or becomes unavailable and stays so.
    package func run(
        _ reader: ImportReader, rejections: RejectionFile, onProgress: @escaping @Sendable (ImportTally) -> Void
    ) async throws -> ImportTally {
        let shared = SharedTally()
        try await withThrowingTaskGroup { group in
            for _ in 0..<lanes {
                group.addTask {
                    while let chunk = await reader.next() {
                        try Task.checkCancellation()
                        let tally = try await self.store(chunk, of: reader.path(chunk.file), rejections)
                        onProgress(shared.add(tally))
                        await self.storeCounts()
                    }
                }
            }
            try await group.waitForAll()
        }
        await storeCounts()
        return shared.value
    }

    /// Stores the counts so far. Those that can't be stored wait for the next group.
    private func storeCounts() async {
        let counts = counter.take()
        guard !counts.isEmpty else { return }
        do { try await count(counts) } catch { counter.add(counts) }
    }

    private func store(_ chunk: ImportChunk, of path: String, _ rejections: RejectionFile) async throws -> ImportTally {
        var tally = ImportTally()
        // A record of another system is kept, because a rejection alone doesn't tell what its events came from.
        let records = chunk.dialect.map { ForeignRecords(chunk, of: $0, path: path, foreign) }
        let chunk = records?.chunk ?? chunk
        tally.ignored = records?.ignored ?? IgnoredEvents()
        tally.rejected = chunk.refusals.count
        var lines = chunk.refusals.map { RejectionFile.line(path, $0) }
        var codes: [Int: String] = [:]
        if let submission = try Self.read(chunk.text) {
            let outcome = try await store(submission)
            tally.stored = outcome.accepted
            tally.duplicates = outcome.duplicates
            tally.rejected += outcome.rejections.count
            if !outcome.rejections.isEmpty {
                let places = submission.lines
                lines += outcome.rejections.map { rejection in
                    let place = places[rejection.index]
                    codes[place] = rejection.code.rawValue
                    return RejectionFile.line(path, chunk.line(place), rejection, record: records?.record(place))
                }
            }
        }
        if let records { counter.add(records.sums(rejected: codes).counts) }
        try await rejections.write(lines, of: path)
        return tally
    }

    /// Returns the events of a chunk, or `nil` if there are none.
    private static func read(_ text: [UInt8]) throws -> Submission? {
        guard text.contains(where: { !$0.isSpace }) else { return nil }
        return try Submission.read(text, as: .ndjson, limits: limits)
    }

    /// The limits of a request, but without one for the number of events.
    private static var limits: Limits {
        var limits = Limits()
        limits.events = .max
        return limits
    }

    /// Stores a group; retries with growing pauses while the database is unavailable.
    ///
    /// Each attempt validates the events again, because devices may have been erased since the last one.
    private func store(_ submission: Submission) async throws -> SubmissionOutcome {
        var attempt = 0
        while true {
            let pending = PendingSubmission(submission, try await context(submission))
            if attempt == 0 { try await prepare(pending.validated.events) }
            do throws(SinkError) {
                let outcomes = try await sink.store(EventGroup([pending]))
                guard let outcome = outcomes.first else { throw SinkError.unavailable }
                return outcome
            } catch {
                // Each attempt that gets further has less left to do.
                if !error.hasProgressed { attempt += 1 }
                let mayPass =
                    switch error {
                    case .unavailable, .namesLocked: true
                    default: false
                    }
                guard mayPass, attempt < 7 else {
                    throw ImportError.storage(error == .refused ? "it refuses them" : "it is unavailable")
                }
            }
            try await Task.sleep(for: .milliseconds(250 << attempt))
        }
    }
}

/// The tally that the lanes share.
private final class SharedTally: Sendable {
    private let state = Mutex(ImportTally())

    var value: ImportTally { state.withLock { $0 } }

    func add(_ tally: ImportTally) -> ImportTally {
        state.withLock { state in
            state += tally
            return state
        }
    }
}

/// The numbers of events that an import stored, found to be duplicates, rejected and ignored.
package struct ImportTally: Sendable, Equatable {
    package var stored = 0
    /// The number of records that were stored before or occur twice.
    package var duplicates = 0
    package var rejected = 0
    /// The events of other systems that are not about notifications, or lack what every event needs.
    package var ignored = IgnoredEvents()

    package init() {}

    package var records: Int { stored + duplicates + rejected + ignored.total }

    static func += (left: inout ImportTally, right: ImportTally) {
        left.stored += right.stored
        left.duplicates += right.duplicates
        left.rejected += right.rejected
        left.ignored += right.ignored
    }
}

extension ImportTally: CustomStringConvertible {
    package var description: String {
        let native = "stored \(stored), duplicates \(duplicates), rejected \(rejected)"
        return ignored.total == 0 ? native : native + ", ignored \(ignored.total)"
    }
}
