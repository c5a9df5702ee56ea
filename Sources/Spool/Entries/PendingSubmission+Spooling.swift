package import Events
package import Ingest

extension PendingSubmission {
    /// The part of a request that an entry holds, to be stored like one that has just come.
    package init(_ entry: SpoolEntry) throws(BinaryFormatError) {
        // An array of the events as they came: that is all that a later refusal needs of a request.
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
