import AfterpushWire
import JSON

/// The fields that the collector added to an event and that a row of an export contains.
///
/// Only an import accepts them, because an administrator of the database runs it.
struct ExportedFields {
    /// The members by which a row of an export is recognized.
    private static let marks: [StaticString] = ["batch_id", "delivery_id", "corrected_at"]
    private static let others: [StaticString] = [
        "skew_milliseconds", "verified", "receipt_issued_at", "text_length", "names_past_limit",
    ]

    let correctedAt: Timestamp
    let skewMilliseconds: Int64?
    let isVerified: Bool
    let receiptIssuedAt: Timestamp?
    let textLength: Int32?
    let namesPastLimit: NameKinds

    /// The kinds of names that the server vouches for. An export doesn't say which names the receipt had.
    var serverNames: NameKinds { isVerified && receiptIssuedAt == nil ? .all : [] }

    /// Reads the fields; the result is `nil` for an event that is not a row of an export.
    init?(_ fields: EventFields) throws(EventValidationError) {
        guard fields.isExported else { return nil }
        guard let correctedAt = try fields.exportedTime("corrected_at") else {
            throw EventValidationError(.fieldInvalid, "corrected_at is not an RFC 3339 time")
        }
        self.correctedAt = correctedAt
        receiptIssuedAt = try fields.exportedTime("receipt_issued_at")
        skewMilliseconds = fields.exportedNumber("skew_milliseconds")
        textLength = fields.exportedNumber("text_length").flatMap { Int32(exactly: $0) }
        isVerified = fields.exportedText("verified") == Array("true".utf8)
        namesPastLimit = NameKinds(
            words: String(decoding: fields.exportedText("names_past_limit") ?? [], as: UTF8.self))
    }

    static func contains(_ key: Span<UInt8>) -> Bool {
        marks.contains { key.equals($0) } || others.contains { key.equals($0) }
    }

    /// Whether the fields contain all members by which a row of an export is recognized.
    static func areMarked(_ bytes: [UInt8], _ fields: ArraySlice<RawField>) -> Bool {
        marks.allSatisfy { mark in
            fields.contains { $0.name == .unknown && bytes.span.extracting($0.key).equals(mark) }
        }
    }
}

extension EventFields {
    fileprivate func exportedField(_ name: StaticString) -> RawField? {
        all.first { $0.name == .unknown && $0.type != .null && bytes.span.extracting($0.key).equals(name) }
    }

    fileprivate func exportedText(_ name: StaticString) -> [UInt8]? {
        exportedField(name).map { Array(bytes[$0.value]) }
    }

    fileprivate func exportedNumber(_ name: StaticString) -> Int64? {
        exportedText(name).flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
    }

    fileprivate func exportedTime(_ name: StaticString) throws(EventValidationError) -> Timestamp? {
        guard let text = exportedText(name) else { return nil }
        guard let time = Timestamp(rfc3339: text.span) else {
            throw EventValidationError(.fieldInvalid, "\(name) is not an RFC 3339 time")
        }
        return time
    }
}
