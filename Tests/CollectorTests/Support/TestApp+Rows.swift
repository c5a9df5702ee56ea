import Storage
import TestSupport

extension TestApp {
    /// Inserts events of half a kilobyte each directly in the database.
    func insertEvents(_ count: Int) async throws {
        try await superuserValue(
            """
            insert into afterpush.events (
                batch_id, app_id, delivery_id, event_id, device_time, occurred_at, kind, verified, device_id, properties)
            select i / 1000 + 1, \(app.id), md5('d' || i)::uuid, md5('e' || i)::uuid, now(), now(), 'opened', true,
                'd' || i, jsonb_build_object('pad', repeat(md5(i::text), 15))
            from generate_series(1, \(count)) as i
            """)
    }
}
