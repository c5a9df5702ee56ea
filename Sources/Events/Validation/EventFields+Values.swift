import AfterpushWire
import Foundation
import JSON

extension EventFields {
    func eventID() throws(EventValidationError) -> UUID {
        guard let field = field(.eventID) else { throw .missing(.eventID) }
        guard field.type == .string, let id = read(field, { UUID(text: $0) }) else {
            throw EventValidationError(.eventIDInvalid, "event_id is not a UUID of 8-4-4-4-12 hexadecimal digits")
        }
        return id
    }

    /// Returns the time of the event by the device's clock.
    func occurredAt() throws(EventValidationError) -> Timestamp {
        guard let field = field(.occurredAt) else { throw .missing(.occurredAt) }
        guard field.type == .string, let time = read(field, { Timestamp(rfc3339: $0) }) else {
            throw EventValidationError(.occurredAtInvalid, "occurred_at is not an RFC 3339 time")
        }
        return time
    }

    /// Returns the value of the field `kind`, or `nil` if it is absent.
    func kind() throws(EventValidationError) -> EventKind? {
        guard let field = field(.kind) else { return nil }
        // Swift compares texts by their characters, which takes the square of the length of a run of combining marks.
        guard field.type == .string, field.value.count <= 256,
            let kind = read(field, { EventKind(rawValue: $0.text) })
        else {
            throw EventValidationError(.kindUnknown, "kind is not a known kind")
        }
        return kind
    }

    /// Returns a number with at most six decimals, after removing the rounding error of a double.
    func amount(_ name: FieldName) throws(EventValidationError) -> String? {
        guard let field = field(name) else { return nil }
        guard field.type == .number else {
            throw EventValidationError(.invalidJSONType, "\(name.name) is not a number")
        }
        guard let exact = DecimalText(bytes.span.extracting(field.value)), !exact.exceeds(tenTo: 15) else {
            throw EventValidationError(
                .fieldInvalid, "\(name.name) must be between -1e15 and 1e15, with no more digits than that needs")
        }
        // Every double preserves fifteen digits of a decimal: 0.1 + 0.2 arrives as 0.30000000000000004.
        let amount = exact.decimals > 6 ? exact.rounded(toDigits: 15) : exact
        guard amount.decimals <= 6 else {
            throw EventValidationError(.fieldInvalid, "\(name.name) has more than six decimals")
        }
        return amount.description
    }

    func currency() throws(EventValidationError) -> String? {
        guard let code = try text(.currency) else { return nil }
        guard code.utf8.count == 3, code.utf8.allSatisfy({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }) else {
            throw EventValidationError(.fieldInvalid, "currency must be three letters from A to Z")
        }
        return code
    }

    /// Returns the properties and all unknown fields as a JSON object.
    func properties() throws(EventValidationError) -> String? {
        guard hasFields(besides: ~FieldName.properties.bit) else { return nil }
        var object = PropertiesText(bytes, limits: limits)
        for field in unknown { try object.add(field) }
        if let field = field(.properties) {
            guard field.type == .object else {
                throw EventValidationError(.invalidJSONType, "properties is not an object")
            }
            try object.addMembers(of: field)
        }
        return object.finish()
    }

    /// Whether the event has any field that belongs to `EventDetails`.
    var statesDetails: Bool { hasFields(besides: Self.essentials) }

    /// The fields that belong to `Event` itself, one bit each.
    private static let essentials: UInt64 =
        [
            FieldName.eventID, .kind, .actionIdentifier, .userText, .notificationID, .deviceID, .occurredAt,
            .campaignID, .categoryID, .variant, .categoryVersion, .receipt, .platform,
        ].reduce(0) { $0 | $1.bit }
}
