import AfterpushWire
import EventSamples
import Events
import Foundation
import Testing

@Suite struct FieldTests {
    @Test func `every field of the contract is read`() throws {
        let event = try Sample.accepted([
            "kind": nil, "action_identifier": "\"REPLY\"", "user_text": "\"größer\"", "campaign_id": "\"c\"",
            "category_id": "\"CHAT\"", "variant": "\"b\"", "category_version": "3", "platform": "\"visionos\"",
            "surface": "\"banner\"", "trigger": "\"push\"", "app_state": "\"background\"", "app_version": "\"5.1\"",
            "os_version": "\"26.1\"", "locale": "\"de_DE\"", "utc_offset_minutes": "-60", "dismiss_cause": "\"user\"",
            "handling": "\"extension\"", "reason": "\"why\"", "name": "\"order\"", "value": "19.990",
            "currency": "\"EUR\"",
            "properties": "{ \"a\" : [ 1 , \"b c\" ] }", "more": "true",
        ])
        #expect(event.appID == 7)
        #expect(event.eventID.uuidString.lowercased() == "6f9619ff-8b86-4d01-b42d-00c04fc964ff")
        #expect(event.kind == .textInput && event.actionIdentifier == "REPLY")
        #expect(event.userText == "größer" && event.textLength == 8)
        #expect(event.notificationID == "note" && event.deviceID == "device")
        #expect(event.campaignID == "c" && event.variant == "b")
        #expect(event.categoryID == "CHAT" && event.categoryVersion == 3)
        #expect(event.platform == .visionOS && event.surface == "banner" && event.trigger == .push)
        #expect(event.appState == "background" && event.appVersion == "5.1" && event.osVersion == "26.1")
        #expect(event.locale == "de_DE" && event.utcOffsetMinutes == -60 && event.dismissCause == "user")
        #expect(event.handling == .extension && event.reason == "why" && event.name == "order")
        #expect(event.value == "19.99" && event.currency == "EUR")
        #expect(event.properties == "{\"more\":true,\"a\":[1,\"b c\"]}")
    }

    @Test func `null and the empty string count as absent`() throws {
        for absent in ["null", "\"\""] {
            let event = try Sample.accepted([
                "campaign_id": absent, "category_id": absent, "variant": absent, "platform": absent, "trigger": absent,
                "surface": absent, "receipt": absent, "user_text": absent, "action_identifier": absent, "value": "null",
                "category_version": "null", "properties": "null", "currency": absent, "unknown": "null",
            ])
            #expect(event.campaignID == nil && event.platform == nil && event.userText == nil && event.surface == nil)
            #expect(event.properties == nil && event.value == nil)
        }
        #expect(try Sample.accepted().details == nil)
    }

    @Test(arguments: ["event_id", "occurred_at", "device_id", "notification_id", "kind"])
    func `a required field that is absent, null or empty is reported as missing`(field: String) throws {
        for absent in [nil, "null", "\"\""] {
            try Sample.expectRejection(.fieldMissing, naming: field, [field: absent])
        }
    }

    @Test(arguments: EventKind.allCases.filter(\.isAboutDevice))
    func `a kind about the device only needs no notification`(kind: EventKind) throws {
        let event = try Sample.accepted(["kind": Sample.quoted(kind.rawValue), "notification_id": nil])
        #expect(event.notificationID == nil)
        #expect(event.deliveryID == DeliveryIdentity.id(appID: 7, notificationID: nil, deviceID: "device"))
    }

    @Test func `a conversion without a notification is an outcome of the device`() throws {
        let event = try Sample.accepted(
            ["kind": "\"converted\"", "notification_id": nil, "name": "\"order\""])
        #expect(event.notificationID == nil && event.name == "order" && !event.verified)
        #expect(event.deliveryID == DeliveryIdentity.id(appID: 7, notificationID: nil, deviceID: "device"))
        let conversion = try Sample.accepted(["kind": "\"converted\"", "name": "\"order\""])
        #expect(conversion.notificationID != nil && conversion.deliveryID != event.deliveryID)
    }

    @Test(arguments: [
        "1", "true", "{}", "\"6f9619ff8b864d01b42d00c04fc964ff\"", "\"{6f9619ff-8b86-4d01-b42d-00c04fc964ff}\"",
        "\"6f9619ff-8b86-4d01-b42d-00c04fc964f\"", "\"6f9619ff-8b86-4d01-b42d-00c04fc964fg\"", "\"abc\"",
        "\"6f9619ff-8b864-d01-b42d-00c04fc964ff\"", "\"６f9619ff-8b86-4d01-b42d-00c04fc964\"",
    ])
    func `an event id that is not a UUID is invalid`(id: String) throws {
        try Sample.expectRejection(.eventIDInvalid, naming: "event_id", ["event_id": id])
    }

    @Test func `an event id is equal in upper and lower case`() throws {
        let event = try Sample.accepted(["event_id": "\"6F9619FF-8b86-4D01-B42D-00c04fC964FF\""])
        #expect(try event.eventID == Sample.accepted().eventID)
    }

    @Test(arguments: ["\"opend\"", "\"OPENED\"", "17", "[]", "\" opened\""])
    func `an undefined kind is rejected as unknown`(kind: String) throws {
        try Sample.expectRejection(.kindUnknown, naming: "kind", ["kind": kind])
    }

    @Test(arguments: [
        "action_identifier", "user_text", "notification_id", "device_id", "campaign_id", "category_id", "variant",
        "receipt", "platform", "surface", "trigger", "app_state", "app_version", "os_version", "locale",
        "dismiss_cause",
        "handling", "reason", "name", "currency",
    ])
    func `a text that is not a string or too long is rejected`(field: String) throws {
        for wrong in ["1", "false", "[\"a\"]", "{}"] {
            try Sample.expectRejection(.invalidJSONType, naming: field, [field: wrong])
        }
        let limit = ["user_text", "receipt"].contains(field) ? 4_096 : 256
        try Sample.expectRejection(.fieldTooLong, naming: field, [field: Sample.letters(limit + 1)])
        let escaped = Sample.quoted(String(repeating: "\\u00e9", count: limit / 2) + "x")
        try Sample.expectRejection(.fieldTooLong, naming: field, [field: escaped])
    }

    @Test func `text limits count UTF-8 bytes`() throws {
        #expect(try Sample.accepted(["surface": Sample.letters(256)]).surface?.count == 256)
        let escaped = Sample.quoted(String(repeating: "\\u00e9", count: 128))
        #expect(try Sample.accepted(["surface": escaped]).surface?.count == 128)
        let reply: [String: String?] = ["kind": nil, "action_identifier": "\"R\"", "user_text": Sample.letters(4_096)]
        #expect(try Sample.accepted(reply).textLength == 4_096)
    }

    @Test func `undefined words in an enumerated field are rejected`() throws {
        for field in ["platform", "trigger", "handling"] {
            try Sample.expectRejection(.fieldInvalid, naming: field, [field: "\"Push\""])
        }
        for code in ["eur", "EU", "EURO", "E1R", "ÄB"] {
            try Sample.expectRejection(.fieldInvalid, naming: "currency", ["currency": Sample.quoted(code)])
        }
    }

    @Test func `an integer field accepts only integers within its range`() throws {
        for bad in ["0", "-1", "1.5", "2147483648", "1e10", "1e400", "9223372036854775808"] {
            try Sample.expectRejection(.fieldInvalid, naming: "category_version", ["category_version": bad])
        }
        for bad in ["1081", "-1081", "0.1"] {
            try Sample.expectRejection(.fieldInvalid, naming: "utc_offset_minutes", ["utc_offset_minutes": bad])
        }
        for field in ["category_version", "utc_offset_minutes", "value"] {
            try Sample.expectRejection(.invalidJSONType, naming: field, [field: "\"1\""])
            try Sample.expectRejection(.invalidJSONType, naming: field, [field: "true"])
        }
        #expect(try Sample.accepted(["category_version": "2147483647"]).categoryVersion == .max)
        #expect(try Sample.accepted(["category_version": "2.0"]).categoryVersion == 2)
        #expect(try Sample.accepted(["utc_offset_minutes": "-1080"]).utcOffsetMinutes == -1_080)
        #expect(try Sample.accepted(["utc_offset_minutes": "-0"]).utcOffsetMinutes == 0)
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("-0.0e5", "0"), ("1", "1"), ("-12.50", "-12.5"), ("1e15", "1000000000000000"),
        ("-1.0e+15", "-1000000000000000"), ("0.000001", "0.000001"), ("1E-6", "0.000001"), ("123.456789", "123.456789"),
        ("0.30000000000000004", "0.3"), ("19.990000000000002", "19.99"), ("0.99999999999999999", "1"),
        ("99.99999999999999999", "100"), ("123456789012345.67", "123456789012345.67"), ("1200", "1200"),
        ("12e2", "1200"),
        ("0.00000010e7", "1"), ("1000000000000000.0000", "1000000000000000"), ("0e300", "0"),
    ])
    func `an amount is stored as a plain decimal`(sent: String, kept: String) throws {
        #expect(try Sample.accepted(["value": sent]).value == kept)
    }

    @Test(arguments: [
        "1e16", "1000000000000000.1", "-1000000000000001", "9223372036854775808", "-9223372036854775809", "1e400",
        "1e131071", "1e-400", "1e99999999999999999999", "0.0000001", "0.1234567", String(repeating: "9", count: 20_000),
        "0." + String(repeating: "0", count: 70),
    ])
    func `E45 - an amount out of range is invalid`(value: String) throws {
        try Sample.expectRejection(.fieldInvalid, naming: "value", ["value": value])
    }
}
