package import AfterpushWire
package import Events
package import Ingest

/// The valid events and rejections of a request, or of part of it, to be stored later.
///
/// It holds the result of validation rather than the request, because validation with another clock, other keys or
/// another version might give another result. It also holds the text of each event, for `rejected_events` in case the
/// database refuses it.
package struct SpoolEntry: Sendable {
    package let appID: Int32
    package let receivedAt: Timestamp
    package let events: [Event]
    /// The JSON of each of `events` as received.
    let texts: [ArraySlice<UInt8>]
    package let rejections: [Rejection]

    static let version: UInt8 = 1
    static let eventTag: UInt8 = 0
    static let rejectionTag: UInt8 = 1

    /// Reads an entry of any version known to this program.
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

/// An entry of the spool on its way to PostgreSQL.
package struct SpooledEntry: Sendable {
    /// The number of the entry in the order of arrival.
    let id: Int64
    package let entry: SpoolEntry
    package let pending: PendingSubmission
}

extension PendingSubmission {
    /// Restores the part of a request that an entry holds, to be stored like a new request.
    package init(_ entry: SpoolEntry) throws(BinaryFormatError) {
        // An array of the events as received is all that a later rejection needs of a request.
        var body = [UInt8(ascii: "[")]
        for (place, text) in entry.texts.enumerated() {
            if place > 0 { body.append(UInt8(ascii: ",")) }
            body.append(contentsOf: text)
        }
        body.append(UInt8(ascii: "]"))
        guard let submission = try? Submission.read(body, as: .json), submission.count == entry.events.count else {
            throw .malformed
        }
        self.init(
            submission, ValidatedSubmission(events: entry.events, rejections: entry.rejections), appID: entry.appID,
            receivedAt: entry.receivedAt)
    }
}
