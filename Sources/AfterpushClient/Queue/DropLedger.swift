import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// How many events were dropped since that was last told: in a file, for all processes.
struct DropLedger: Sendable {
    let place: QueueLocation

    /// Whether there is nothing to tell, which is cheap to ask.
    var isEmpty: Bool {
        var found = stat()
        return stat(place.drops, &found) != 0 || found.st_size == 0
    }

    func add(_ reason: DropReason, _ count: Int) {
        guard count > 0 else { return }
        // Should the disk be full, the count is lost; the reason for most drops is that it nearly is.
        try? withFile { file throws(FileError) in
            var counts = try Self.counts(in: file)
            counts[reason, default: 0] += count
            let text = (try? JSONEncoder().encode(Self.words(counts))) ?? Data()
            try file.truncate(to: 0)
            try file.write(Array(text), at: 0)
        }
    }

    /// Lets a body tell the counts, and forgets them once it has.
    func tell<Value>(_ body: ([DropReason: Int]) throws(FileError) -> Value) throws(FileError) -> Value {
        try withFile { file throws(FileError) in
            let value = try body(Self.counts(in: file))
            // Told twice is better than an error for an event that is kept.
            try? file.truncate(to: 0)
            return value
        }
    }

    private func withFile<Value>(_ body: (OpenFile) throws(FileError) -> Value) throws(FileError) -> Value {
        let file = try OpenFile(place.drops, O_RDWR | O_CREAT)
        try file.lock()
        defer { file.unlock() }
        return try body(file)
    }

    /// What can't be read counts as nothing.
    private static func counts(in file: OpenFile) throws(FileError) -> [DropReason: Int] {
        let text = try file.read(at: 0, count: 4_096)
        let words = (try? JSONDecoder().decode([String: Int].self, from: Data(text))) ?? [:]
        let pairs = words.compactMap { word, count in DropReason(rawValue: word).map { ($0, count) } }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    static func words(_ counts: [DropReason: Int]) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) })
    }
}
