package import Ingest

/// An entry of the spool on its way to PostgreSQL.
package struct SpooledEntry: Sendable {
    /// Its place in the order in which entries came.
    let id: Int64
    package let entry: SpoolEntry
    package let pending: PendingSubmission
}
