import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The number of events that were dropped and not yet reported, in a file for all processes of the app.
struct DropCounter: Sendable {
    let location: QueueLocation
    /// The largest count. The file may have been changed to say anything.
    private static let maximum = 1_000_000_000

    /// A Boolean value that says whether there is nothing to report. Takes one system call.
    var isEmpty: Bool {
        guard let status = location.status(of: location.dropCounts) else { return true }
        return !status.isRegular || status.size == 0
    }

    func add(_ reason: DropReason, _ count: Int) {
        guard count > 0 else { return }
        // On a full disk the count is lost.
        try? withFile { file throws(FileError) in
            var counts = try Self.counts(in: file)
            counts[reason] = min(Self.maximum, counts[reason, default: 0] + min(Self.maximum, count))
            let text = (try? JSONEncoder().encode(Self.names(counts))) ?? Data()
            try file.truncate(to: 0)
            try file.write(Array(text), at: 0)
        }
    }

    /// Passes the counts to `body`, and resets them if it doesn't throw.
    func report<Value>(_ body: ([DropReason: Int]) throws(FileError) -> Value) throws(FileError) -> Value {
        try withFile { file throws(FileError) in
            let value = try body(Self.counts(in: file))
            // The event is stored by now. Reporting the counts twice is better than an error.
            try? file.truncate(to: 0)
            return value
        }
    }

    private func withFile<Value>(_ body: (OpenFile) throws(FileError) -> Value) throws(FileError) -> Value {
        let file = try location.openReplacing(location.dropCounts, O_RDWR | O_CREAT)
        try file.lock()
        defer { file.unlock() }
        return try body(file)
    }

    /// Reads the counts. An unreadable file counts as empty, and so does an impossible count.
    private static func counts(in file: OpenFile) throws(FileError) -> [DropReason: Int] {
        let text = try file.read(at: 0, count: 4_096)
        let names = (try? JSONDecoder().decode([String: Int].self, from: Data(text))) ?? [:]
        let pairs = names.filter { (1...maximum).contains($0.value) }
            .compactMap { name, count in DropReason(rawValue: name).map { ($0, count) } }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    static func names(_ counts: [DropReason: Int]) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) })
    }
}
