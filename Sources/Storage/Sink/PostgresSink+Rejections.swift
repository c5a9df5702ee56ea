import Events
import Ingest

/// Prepares rejected events for being stored.
extension PostgresSink {
    /// The size of rejected events in one transaction, that of a group: each is a row, which delays the events of others.
    private static let rejectedBytes = GroupCommitPolicy().slowBytes

    /// Divides rejections into groups of a transaction each.
    static func pieces(of rejections: [StoredRejection]) -> [[StoredRejection]] {
        var pieces: [[StoredRejection]] = []
        var bytes = Int.max
        for rejection in rejections {
            let size = rejection.rejection.storedBytes
            if bytes > rejectedBytes - size {
                pieces.append([])
                bytes = 0
            }
            pieces[pieces.count - 1].append(rejection)
            bytes += size
        }
        return pieces
    }

    /// Returns rejections without what must not be kept of devices that were erased since they were validated.
    func searched(_ rejections: [StoredRejection]) -> [StoredRejection] {
        guard !rejections.isEmpty else { return [] }
        let list = suppressionList()
        return rejections.map { $0.searched(for: list) }
    }
}
