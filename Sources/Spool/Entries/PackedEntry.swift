/// A spool entry as bytes.
package struct PackedEntry: Sendable, Equatable {
    /// As `SpoolEntry` reads them.
    package let bytes: [UInt8]
    /// Believed events in it.
    package let events: Int

    package init(bytes: [UInt8], events: Int) {
        self.bytes = bytes
        self.events = events
    }
}
