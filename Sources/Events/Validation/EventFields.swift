import AfterpushWire
import Foundation
import JSON

/// The fields of an event, each decoded when it is needed. Null and the empty string count as absent.
struct EventFields {
    let bytes: [UInt8]
    let limits: Limits
    /// Whether the event is a row of an export, which has fields that a sender can't set.
    let isExported: Bool
    private let fields: ArraySlice<RawField>
    private let stated: UInt64

    /// Selects the fields of an event.
    ///
    /// - Parameter restoring: Whether rows of an export are recognized.
    init(_ submission: Submission, _ event: RawEvent, limits: Limits, restoring: Bool = false) {
        bytes = submission.bytes
        fields = submission.fields[event.fields]
        stated = event.stated
        self.limits = limits
        isExported = restoring && ExportedFields.areMarked(submission.bytes, submission.fields[event.fields])
    }

    var all: ArraySlice<RawField> { fields }

    /// Returns a field, or `nil` if it is absent.
    func field(_ name: FieldName) -> RawField? {
        guard stated & name.bit != 0, let field = fields.first(where: { $0.name == name }) else { return nil }
        return field.type == .null || field.type == .string && field.value.isEmpty ? nil : field
    }

    /// The fields without a meaning of their own, except the collector's fields in a row of an export.
    var unknown: some Sequence<RawField> {
        fields.lazy.filter { field in
            field.name == .unknown && field.type != .null
                && !(isExported && ExportedFields.contains(bytes.span.extracting(field.key)))
        }
    }

    /// Whether there are any fields besides those of a mask.
    func hasFields(besides mask: UInt64) -> Bool {
        stated & ~mask != 0 || fields.contains { $0.name == .unknown }
    }

    /// Calls `body` with the UTF-8 of a string field, with escapes resolved, and returns its result.
    func read<Value>(_ field: RawField, _ body: (Span<UInt8>) -> Value) -> Value {
        guard field.hasEscapes else { return body(bytes.span.extracting(field.value)) }
        let text = JSONText.unescape(bytes, field.value)
        return body(text.span)
    }

    /// Returns a text of at most `limit` bytes, by default the limit of an identifier.
    func text(_ name: FieldName, limit: Int? = nil) throws(EventValidationError) -> String? {
        guard let field = try string(name) else { return nil }
        let limit = limit ?? limits.identifierBytes
        let text =
            field.hasEscapes
            ? String(decoding: JSONText.unescape(bytes, field.value), as: UTF8.self)
            : field.value.count > limit ? nil : String(decoding: bytes[field.value], as: UTF8.self)
        guard let text, text.utf8.count <= limit else {
            throw EventValidationError(.fieldTooLong, "\(name.name) is longer than \(limit) bytes")
        }
        return text
    }

    /// Returns one of the permitted values of a field.
    func word<Word: RawRepresentable<String>>(_ name: FieldName) throws(EventValidationError) -> Word? {
        guard let text = try text(name) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw EventValidationError(.fieldInvalid, "\(name.name) is not one of the permitted values")
        }
        return word
    }

    /// Returns an integer within a range.
    func integer(_ name: FieldName, in range: ClosedRange<Int32>) throws(EventValidationError) -> Int32? {
        guard let field = field(name) else { return nil }
        guard field.type == .number else {
            throw EventValidationError(.invalidJSONType, "\(name.name) is not a number")
        }
        guard let value = DecimalText(bytes.span.extracting(field.value))?.integer, range.contains(value) else {
            throw EventValidationError(
                .fieldInvalid, "\(name.name) is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    private func string(_ name: FieldName) throws(EventValidationError) -> RawField? {
        guard let field = field(name) else { return nil }
        guard field.type == .string else {
            throw EventValidationError(.invalidJSONType, "\(name.name) is not a string")
        }
        return field
    }
}
