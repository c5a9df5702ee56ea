package import Dialects
import Executors
import Postgres
import Synchronization

/// Reads files one after another in chunks, on its own thread because reading blocks.
package actor ImportReader {
    /// The progress of reading.
    package struct Position: Sendable, Equatable {
        package var bytes = 0
        /// The size of all files in bytes, or `nil` when it is unknown.
        package var total: Int?

        package var fraction: Double? { total.map { Double(bytes) / Double(max(1, $0)) } }
    }

    /// What the records of files are.
    package enum Records: Sendable {
        /// What the beginning of each file says.
        case detected
        /// Native events.
        case native
        case foreign(any RecordDialect.Type)
    }

    package struct Failure: Error, Sendable {
        package let path: String
        package let error: ImportError
    }

    private let executor = QueueExecutor(label: "import.reader")
    private let paths: [String]
    private let format: FileFormat?
    private let kind: Records
    private let raw: Bool
    private var file = -1
    private var source: ByteSource?
    private var records: (any RecordReader)?
    private var dialect: (any RecordDialect.Type)?
    /// The number of files of each dialect.
    package private(set) var dialects: [DialectFamily: Int] = [:]
    /// The size in bytes of the files that are finished.
    private var doneBytes = 0
    /// The files that could not be read to their end.
    package private(set) var failures: [Failure] = []
    private let shared: Mutex<Position>

    package nonisolated var unownedExecutor: UnownedSerialExecutor { self.executor.asUnownedSerialExecutor() }

    /// Creates a reader without opening any file.
    ///
    /// - Parameters:
    ///   - paths: The files; `-` is standard input.
    ///   - format: The format of all files, or `nil` to detect that of each.
    ///   - records: What the records of all files are.
    ///   - raw: Whether cells of CSV are taken as they are.
    package init(
        paths: [String], format: FileFormat? = nil, records: Records = .detected, raw: Bool = false
    ) {
        self.paths = paths
        self.format = format
        kind = records
        self.raw = raw
        let sizes = paths.map { ByteSource.size(ofFile: $0) }
        let total = sizes.contains { $0 == nil } ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }
        shared = Mutex(Position(total: total))
    }

    package nonisolated var position: Position { self.shared.withLock { $0 } }

    package nonisolated func path(_ file: Int) -> String { self.paths[file] }

    /// Returns the next records, or `nil` after the last file.
    func next() -> ImportChunk? {
        while self.records != nil || self.openNext() {
            do throws(ImportError) {
                guard let source, var chunk = try self.records?.next(source) else {
                    if let damage = self.source?.damage { self.fail(damage) } else { self.close() }
                    continue
                }
                chunk.file = self.file
                chunk.dialect = self.dialect
                self.updatePosition(source.position)
                return chunk
            } catch {
                self.fail(self.source?.damage ?? error)
            }
        }
        return nil
    }

    /// Opens the next readable file and returns whether there is one.
    private func openNext() -> Bool {
        while self.file + 1 < self.paths.count {
            self.file += 1
            let path = self.paths[self.file]
            do throws(ImportError) {
                let source = try ByteSource(path: path)
                var format = self.format ?? FileFormat.guess(name: path, source.preview)
                switch self.kind {
                case .native: self.dialect = nil
                case .foreign(let dialect): self.dialect = dialect
                case .detected: self.dialect = FilePreview.dialect(of: source.preview, format)
                }
                if let dialect {
                    self.dialects[dialect.family, default: 0] += 1
                    // Such files are often called NDJSON, although there are no line ends between their objects.
                    if format != .csv { format = FileFormat.guess(source.preview) }
                }
                self.source = source
                self.records = format.reader(raw: self.raw, of: self.dialect)
                return true
            } catch {
                self.fail(error)
            }
        }
        return false
    }

    private func fail(_ error: ImportError) {
        self.failures.append(Failure(path: self.paths[self.file], error: error))
        self.close()
    }

    private func close() {
        self.doneBytes += ByteSource.size(ofFile: self.paths[self.file]) ?? self.source?.position ?? 0
        self.source = nil
        self.records = nil
        self.updatePosition(0)
    }

    private func updatePosition(_ bytes: Int) {
        let done = self.doneBytes + bytes
        self.shared.withLock { $0.bytes = done }
    }
}
