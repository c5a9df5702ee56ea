import AfterpushWire
import ArgumentParser
import Dialects
import Foundation
import Imports
import Storage
import Synchronization

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract:
            "Imports events from files: NDJSON, JSON or CSV, of Afterpush or other systems, also compressed with gzip.",
        discussion: """
            Events have the form of POST /v1/events with a send key, or that of `afterpush export events`. Unknown columns \
            and members become properties; sent_at is ignored. An event that is already stored counts as a duplicate, so \
            an import that was cut off can be repeated. Rejected events are written to FILE.rejected.ndjson, with their \
            line and the reason.

            Files of other systems are recognized by their content, and turned into events: \(RecordDialects.names). What \
            is not about notifications is ignored and counted.

            Example:
              afterpush import --app shop events.ndjson.gz more.csv
              zcat events-*.gz | afterpush import --app shop -
            """)

    @Argument(help: "Files; - reads standard input.") var files: [String]
    @Option(help: "The app; not needed if there is only one.", completion: .apps) var app: String?
    @Option(help: "auto, ndjson, json or csv of Afterpush, or the name of another system; by default auto.")
    var dialect = "auto"
    @Option(help: "File for rejected records; by default one next to each file.") var rejected: String?
    @Flag(help: "CSV: import cells unchanged. By default the ' that an export puts before a formula is removed.")
    var raw = false
    @Flag(help: "Wait until reports count the events; without a collector, this command merges them.") var wait = false
    @OptionGroup var options: SettingsOptions

    func validate() throws {
        guard !files.isEmpty else { throw ValidationError("name the files to import, or - for standard input") }
        guard files.filter({ $0 == "-" }).count <= 1 else { throw ValidationError("- can be given only once") }
        guard dialect == "auto" || format != nil || RecordDialects.named(dialect) != nil else {
            throw ValidationError("--dialect must be auto, ndjson, json, csv or one of \(RecordDialects.names)")
        }
    }

    private var format: Imports.FileFormat? { Imports.FileFormat(rawValue: dialect) }

    private var records: ImportReader.Records {
        if let dialect = RecordDialects.named(dialect) { return .foreign(dialect) }
        return format == nil ? .detected : .native
    }

    func run() async throws {
        try await CommandRunner.run {
            let rejections = try RejectionFile(path: rejected, for: files)
            try await DatabaseSession.run(try await Settings(options)) { session in
                let app = try await session.registry.app(named: app)
                let reader = ImportReader(paths: files, format: format, records: records, raw: raw)
                let tally = try await store(reader, rejections, try await session.importer(app))
                note(await reader.dialects, tally.ignored)
                try await rejections.close()
                for path in await rejections.paths { Terminal.note("afterpush: rejected records are in \(path)") }
                if wait { try await session.waitForRollups(of: app) } else { try await session.noteWaitingBatches() }
                let failures = await reader.failures
                for failure in failures { Terminal.note("afterpush: \(failure.path): \(failure.error)") }
                Terminal.explainRights(after: failures.map { "\($0.error)" }.joined())
                Terminal.print("\(tally)")
                if !failures.isEmpty { throw ExitCode(1) }
            }
        }
    }

    /// Says what files were taken for, and what was ignored of them.
    private func note(_ dialects: [DialectFamily: Int], _ ignored: IgnoredEvents) {
        for (family, count) in dialects.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let files = count == 1 ? "1 file" : "\(ProgressLine.grouped(count)) files"
            Terminal.note("afterpush: \(files) read with --dialect \(family.rawValue): \(family.title)")
        }
        for line in ignored.lines() { Terminal.note("afterpush: ignored \(line)") }
    }

    private func store(
        _ reader: ImportReader, _ rejections: RejectionFile, _ importer: Importer
    ) async throws -> ImportTally {
        let bar = ProgressBar(unit: "events")
        let progress = Mutex(ImportTally())
        let interruption = Interruption {
            bar.finish()
            return
                "afterpush: interrupted: \(progress.withLock { $0 }). The same command goes on: what is stored already "
                + "counts as a duplicate"
        }
        defer {
            interruption.end()
            bar.finish()
        }
        return try await importer.run(reader, rejections: rejections) { tally in
            progress.withLock { $0 = tally }
            bar.update(fraction: reader.position.fraction, count: tally.records)
        }
    }
}
