package import Ingest

/// The sink that entries of the spool are replayed to.
package protocol ReplaySink: EventSink {
    /// Whether it stores groups now.
    func takesGroups() async -> Bool
}
