import Foundation
import Postgres
import SQLFiles

extension Retention {
    private static let textsAtOnce: Int32 = 2_000

    func purgeReplies() async throws -> [Item] {
        try await decideWaitingTexts()
        return try await purge(
            "replies", "past the text retention of their category or app", SQLFiles.callPurgeReplies)
    }

    /// Moves or deletes the waiting texts that can be decided by now.
    private func decideWaitingTexts() async throws {
        var last: (delivery: UUID, event: UUID, time: Timestamp)?
        while true {
            let key = last
            let page = try await patientStep { connection in
                try connection.query(
                    SQLFiles.callDecideWaitingPage.text,
                    [.int4(Self.textsAtOnce), .uuid(key?.delivery), .uuid(key?.event), .timestamp(key?.time)]
                ).first?.decode(UUID.self, UUID.self, Timestamp.self)
            }
            guard let page else { return }
            last = page
        }
    }
}
