import Foundation

/// The categories that the device has registered, on disk for all processes of the app.
final class CategoryCache: Sendable {
    /// The document as the collector sent it, and its entity tag.
    struct Entry: Codable {
        let tag: String?
        let document: Data
    }

    private struct State {
        var versions: [String: Int32] = [:]
        /// The modification date of the file from which the versions were read.
        var fileDate: Date?
    }

    private let location: QueueLocation
    private let state = Locked(State())

    init(_ location: QueueLocation) {
        self.location = location
    }

    private var path: String { location.path + "/categories" }

    var stored: Entry? {
        FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode(Entry.self, from: $0) }
    }

    /// Stores an entry. If the disk is full, the next start asks the collector again.
    func store(_ entry: Entry) {
        try? location.prepare()
        guard let text = try? JSONEncoder().encode(entry) else { return }
        try? text.write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// Returns the version of a category that this device offers, or nil if the collector has not stated one.
    func version(of category: String) -> Int32? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let fileDate = attributes?[.modificationDate] as? Date else { return nil }
        return state.withLock { state in
            // Another process may have stored other categories.
            if state.fileDate != fileDate {
                let categories = stored.flatMap { try? RemoteCategory.decode($0.document) } ?? []
                let pairs = categories.compactMap { category in category.version.map { (category.identifier, $0) } }
                state = State(versions: Dictionary(pairs) { first, _ in first }, fileDate: fileDate)
            }
            return state.versions[category]
        }
    }
}
