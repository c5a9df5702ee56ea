import Foundation

/// The categories that the device has registered, on disk for all processes of the app.
final class CategoryCache: Sendable {
    /// The document as the collector sent it, and its entity tag.
    struct Entry: Codable {
        /// The largest document that is stored.
        static let maximumBytes = 1024 * 1024

        let tag: String?
        let document: Data

        /// Creates an entry. A tag that can't be one is left out: it is sent back in a header field.
        init(tag: String?, document: Data) {
            self.tag = tag.flatMap { Self.isTag($0) ? $0 : nil }
            self.document = document
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            self.init(
                tag: try container.decodeIfPresent(String.self, forKey: .tag),
                document: try container.decode(Data.self, forKey: .document))
        }

        /// Returns whether the text consists of a few visible characters, as RFC 9110 defines entity tags.
        private static func isTag(_ text: String) -> Bool {
            (1...256).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        }
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
        location.contents(of: path, limit: 2 * Entry.maximumBytes)
            .flatMap { try? JSONDecoder().decode(Entry.self, from: Data($0)) }
    }

    /// Stores an entry. If the disk is full, the next start asks the collector again.
    func store(_ entry: Entry) {
        try? location.prepare()
        guard entry.document.count <= Entry.maximumBytes, let text = try? JSONEncoder().encode(entry) else { return }
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
