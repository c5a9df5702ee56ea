import AfterpushWire
import Events
import Foundation
import Ingest
import Logging
import SeededRandom
import Spool
import Storage

/// Damages the spool's files: they can be opened or are set aside; what is read from them was written before; and the
/// spool accepts groups again.
struct SpoolFuzz {
    private var grammar: Grammar
    private let logger = Logger(label: "fuzz", factory: { _ in SwiftLogNoOpLogHandler() })
    private let directory =
        FileManager.default.temporaryDirectory.path + "/afterpush-fuzz-\(UUID().uuidString.prefix(8))"

    init(seed: UInt64) {
        grammar = Grammar(random: SeededGenerator(seed: seed))
    }

    func run(_ clock: FuzzClock) async throws {
        var grammar = grammar
        defer { try? FileManager.default.removeItem(atPath: directory) }
        while clock.goesOn() {
            if grammar.chance(0.98) {
                mangleEntries(&grammar, clock)
            } else {
                try await mangleFile(&grammar, clock)
            }
        }
    }

    /// Entries with a matching checksum by chance, or written by another version.
    private func mangleEntries(_ grammar: inout Grammar, _ clock: FuzzClock) {
        guard let group = group(&grammar) else { return }
        for packed in group.packed(limit: 65_000) {
            guard let entry = try? SpoolEntry(packed.bytes[...]) else {
                return clock.require(false, "an entry can't be read back", packed.bytes)
            }
            clock.require(entry.events.count == packed.events, "other events came back", packed.bytes)
            let mangled = grammar.mutated(packed.bytes, with: packed.bytes)
            clock.count(mangled.count)
            let start = FuzzClock.work
            if let entry = try? SpoolEntry(mangled[...]) {
                clock.note("entries read")
                _ = try? PendingSubmission(entry)
            } else {
                clock.note("entries refused")
            }
            clock.require(FuzzClock.work - start < 1, "a second of work", mangled)
        }
    }

    private func mangleFile(_ grammar: inout Grammar, _ clock: FuzzClock) async throws {
        try? FileManager.default.removeItem(atPath: directory)
        var known: Set<UUID> = []
        for _ in 0..<2 + grammar.below(20) {
            guard let group = group(&grammar) else { continue }
            known.formUnion(group.events.map(\.eventID))
            _ = try await opened().add(group)
        }
        let files = try? FileManager.default.contentsOfDirectory(atPath: directory)
        guard let name = files?.first(where: { $0.hasSuffix(".sqlite") }) else { return }
        let file = URL(filePath: directory + "/" + name)
        let bytes = mangled(Array(try Data(contentsOf: file)), &grammar)
        try Data(bytes).write(to: file)
        clock.count(bytes.count)
        let spool = try await opened()
        var read = 0
        // As the drainer does, without PostgreSQL.
        while let entries = try? await spool.oldest(10, events: 5_000), !entries.isEmpty {
            let ids = entries.flatMap { $0.entry.events.map(\.eventID) }
            clock.require(known.isSuperset(of: ids), "an event that was never added", bytes)
            read += ids.count
            let outcomes = entries.map { SubmissionOutcome(accepted: $0.entry.events.count, rejections: []) }
            do { try await spool.remove(entries, outcomes: outcomes) } catch { break }
        }
        clock.note(read == known.count ? "files read whole" : "files read in part")
        let isUsable = await spool.canTake
        clock.require(isUsable, "the spool takes nothing any more", bytes)
        if let group = group(&grammar) { _ = try await spool.add(group) }
    }

    private func opened() async throws(SpoolError) -> Spool {
        var configuration = Spool.Configuration(directory: directory)
        configuration.freeMargin = 0
        return try await Spool.open(configuration, logger: logger)
    }

    /// Damages bytes as disks do: flipped bits, ranges of zeros or other bytes, swapped pages, a truncated end.
    private func mangled(_ file: [UInt8], _ grammar: inout Grammar) -> [UInt8] {
        var bytes = file
        for _ in 0..<1 + grammar.below(5) where bytes.count > 1_024 {
            // SQLite depends most on the beginning of the file and of its pages.
            let page = grammar.below(bytes.count / 65_536 + 1) * 65_536
            let start = min(
                bytes.count - 1, grammar.chance(0.5) ? page + grammar.below(120) : grammar.below(bytes.count))
            let end = min(bytes.count, start + 1 + grammar.below(grammar.chance(0.1) ? 70_000 : 16))
            switch grammar.below(6) {
            case 0, 1: bytes[start] ^= 1 << UInt8(grammar.below(8))
            case 2: for place in start..<end { bytes[place] = 0 }
            case 3: for place in start..<end { bytes[place] = UInt8(truncatingIfNeeded: grammar.below(256)) }
            case 4: bytes.removeLast(bytes.count - start)
            default:
                let other = grammar.below(bytes.count / 65_536 + 1) * 65_536
                for place in 0..<65_536 where max(page, other) + place < bytes.count {
                    bytes.swapAt(page + place, other + place)
                }
            }
        }
        return bytes
    }

    private func group(_ grammar: inout Grammar) -> EventGroup? {
        let context = ValidationContext(
            appID: 7, scope: .send, receivedAt: Timestamp(microseconds: 1_795_255_200_000_000))
        guard let submission = try? Submission.read(grammar.body(), as: .json) else { return nil }
        return EventGroup([PendingSubmission(submission, context)])
    }
}
