package import Events
import Foundation
import Glibc
import Ingest
import Logging

extension Spool {
    /// How long damaged entries and files are kept for the operator. They can't be searched for an erased device, so an
    /// erasure is complete only after this time.
    package static let remainsLifetime: Duration = .seconds(30 * 86_400)

    /// Removes what erased devices sent from the entries that were set aside. Waiting entries lose it when they are
    /// replayed.
    package func erase(_ suppressionList: SuppressionList) throws(SpoolError) {
        guard self.state.setAsideEntries > 0, suppressionList.count > 0 else { return }
        var devices = suppressionList
        // Events from before the sealed hours stay: replay rejects them, so that they are in `rejected_events`.
        devices.oldest = nil
        let before = self.state.setAsideEvents
        try self.change(entries: 0, events: 0) { try $0.replaceSetAside { Self.excluding(devices, from: $0) } }
        let erased = before - self.state.setAsideEvents
        guard erased > 0 else { return }
        self.state.counts.setAside -= erased
        self.state.counts.rejected += erased
        self.logger.notice("erased devices from entries that were set aside", metadata: ["events": "\(erased)"])
    }

    /// Returns an entry without what the devices sent, or `nil` if they sent nothing of it or it can't be read.
    private static func excluding(_ devices: SuppressionList, from bytes: ArraySlice<UInt8>) -> [PackedEntry]? {
        guard let entry = try? SpoolEntry(bytes), let pending = try? PendingSubmission(entry) else { return nil }
        let packed = EventGroup([pending.excluding(devices)]).packed(limit: SpoolFile.entryLimit)
        return packed.map(\.bytes) == [Array(bytes)] ? nil : packed
    }

    /// Deletes damaged entries and files that are older than `remainsLifetime`.
    func removeRemains(olderThan lifetime: Duration = remainsLifetime) throws(SpoolError) {
        let seconds = lifetime.components.seconds
        if self.state.setAsideEntries > 0 {
            let before = self.state.setAsideEntries
            try self.change(entries: 0, events: 0) { try $0.removeRemains(olderThan: seconds) }
            let removed = before - self.state.setAsideEntries
            if removed > 0 { self.logger.notice("deleted old damaged entries", metadata: ["entries": "\(removed)"]) }
        }
        for path in (try? self.files(with: ".aside-")) ?? [] {
            var status = stat()
            // The time of the rename. That of the last write is older.
            guard lstat(path, &status) == 0, status.st_ctim.tv_sec + Int(seconds) <= time(nil) else { continue }
            unlink(path)
            self.logger.notice("deleted an old damaged spool file", metadata: ["file": "\(path)"])
        }
    }
}
