package import Events
package import Ingest
import Synchronization

/// Stores the events of files as the collector stores those of requests: validated, in groups, each once.
///
/// A few lanes take chunk after chunk: while the database stores the group of one, others make theirs. Nothing is kept of
/// how far it came: a run after an interruption counts what is stored already as duplicates.
package struct Importer: Sendable {
    private let sink: any EventSink
    private let lanes: Int
    private let context: @Sendable (Submission) async throws -> ValidationContext
    private let prepare: @Sendable ([Event]) async throws -> Void

    /// - Parameters:
    ///   - lanes: groups under way at once.
    ///   - context: what is known of the events besides themselves.
    ///   - prepare: called before a group is stored.
    package init(
        sink: any EventSink, lanes: Int = 3,
        context: @escaping @Sendable (Submission) async throws -> ValidationContext,
        prepare: @escaping @Sendable ([Event]) async throws -> Void = { _ in }
    ) {
        self.sink = sink
        self.lanes = lanes
        self.context = context
        self.prepare = prepare
    }

    /// Stores everything that can be read.
    ///
    /// - Parameter onProgress: called after each group, with what became of all records so far.
    /// - Throws: `ImportError.storage` if the database goes away and stays away.
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
                    }
                }
            }
            try await group.waitForAll()
        }
        return shared.value
    }

    private func store(_ chunk: ImportChunk, of path: String, _ rejections: RejectionFile) async throws -> ImportTally {
        var tally = ImportTally()
        tally.rejected = chunk.refusals.count
        var lines = chunk.refusals.map { RejectionFile.line(path, $0) }
        if let submission = try Self.read(chunk.text) {
            let pending = PendingSubmission(submission, try await context(submission))
            try await prepare(pending.validated.events)
            let outcome = try await store(pending)
            tally.stored = outcome.accepted
            tally.duplicates = outcome.duplicates
            tally.rejected += outcome.rejections.count
            if !outcome.rejections.isEmpty {
                let places = submission.lines
                lines += outcome.rejections.map { RejectionFile.line(path, chunk.line(places[$0.index]), $0) }
            }
        }
        try await rejections.write(lines, of: path)
        return tally
    }

    /// Nil if there is no event.
    private static func read(_ text: [UInt8]) throws -> Submission? {
        guard text.contains(where: { !$0.isSpace }) else { return nil }
        return try Submission.read(text, as: .ndjson, limits: limits)
    }

    /// A group is a chunk, however many events that has.
    private static var limits: Limits {
        var limits = Limits()
        limits.events = .max
        return limits
    }

    /// Waits for a database that is away for a moment.
    private func store(_ pending: PendingSubmission) async throws -> SubmissionOutcome {
        var attempt = 0
        while true {
            do throws(SinkError) {
                let outcomes = try await sink.store(EventGroup([pending]))
                guard let outcome = outcomes.first else { throw SinkError.unavailable }
                return outcome
            } catch {
                attempt += 1
                guard error == .unavailable, attempt < 7 else {
                    throw ImportError.storage(error == .refused ? "it refuses them" : "it is away")
                }
            }
            try await Task.sleep(for: .milliseconds(250 << attempt))
        }
    }
}

/// What the lanes count together.
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
