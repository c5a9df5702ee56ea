package import AfterpushWire
package import Events

/// What is kept of a request, or of a part of it, to store it later: events that were believed and refusals.
///
/// It holds what was believed rather than what was sent, since another clock, other keys or another program might
/// believe something else later. The text of each event goes along, for `rejected_events`, should the database refuse it.
package struct SpoolEntry: Sendable {
    package let appID: Int32
    package let receivedAt: Timestamp
    package let events: [Event]
    /// For each of `events` its JSON as it came.
    let texts: [ArraySlice<UInt8>]
    package let rejections: [Rejection]

    static let version: UInt8 = 1
    static let eventTag: UInt8 = 0
    static let rejectionTag: UInt8 = 1

    /// Reads an entry of any version that this program knows.
    package init(_ bytes: ArraySlice<UInt8>) throws(BinaryFormatError) {
        var reader = BinaryReader(bytes)
        let version = try reader.number(UInt8.self)
        guard version == Self.version else { throw .unknownVersion(version) }
        appID = try reader.number()
        receivedAt = try reader.time()
        var events: [Event] = []
        var texts: [ArraySlice<UInt8>] = []
        var rejections: [Rejection] = []
        while !reader.isAtEnd {
            switch try reader.number(UInt8.self) {
            case Self.eventTag:
                events.append(try Event(&reader, appID: appID))
                texts.append(try reader.data())
            case Self.rejectionTag: rejections.append(try Rejection(&reader))
            default: throw .malformed
            }
        }
        self.events = events
        self.texts = texts
        self.rejections = rejections
    }
}
