import Foundation

/// The categories that the device registered last, on the disk for all processes.
final class CategoryCache: Sendable {
    /// What is kept: the document as it came, and the tag that asks whether it still holds.
    struct Kept: Codable {
        let tag: String?
        let document: Data
    }

    private struct State {
        var versions: [String: Int32] = [:]
        /// When the file was written that the versions are from.
        var readAt: Date?
    }

    private let place: QueueLocation
    private let state = Locked(State())

    init(_ place: QueueLocation) {
        self.place = place
    }

    private var path: String { place.path + "/categories" }

    var kept: Kept? {
        FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode(Kept.self, from: $0) }
    }

    /// Without room on the disk the next start asks the collector again.
    func keep(_ kept: Kept) {
        try? place.prepare()
        guard let text = try? JSONEncoder().encode(kept) else { return }
        try? text.write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// The version of a category that this device offers, if the collector told it.
    func version(of category: String) -> Int32? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard let written = attributes?[.modificationDate] as? Date else { return nil }
        return state.withLock { state in
            if state.readAt != written {
                let categories = kept.flatMap { try? RemoteCategory.read($0.document) } ?? []
                let pairs = categories.compactMap { category in category.version.map { (category.identifier, $0) } }
                state = State(versions: Dictionary(pairs) { first, _ in first }, readAt: written)
            }
            return state.versions[category]
        }
    }
}
