import AfterpushWire
import EventSamples
import Events
import Testing

@Suite struct ReceiptTests {
    private let receipt: [String: String?] = ["receipt": "\"good\""]

    private func context(
        _ scope: Scope = .ingest, requires: Bool = false, _ change: (inout ReceiptClaims) -> Void = { _ in }
    ) -> ValidationContext {
        Sample.context(scope, verifier: StubVerifier(change), requiresReceipt: requires)
    }

    @Test func `no receipt is accepted without a verifier`() throws {
        try Sample.expectRejection(.receiptInvalid, naming: "receipt", receipt)
    }

    @Test func `an invalid receipt is rejected, even from a server`() throws {
        for scope in [Scope.ingest, .send] {
            try Sample.expectRejection(.receiptInvalid, naming: "receipt", ["receipt": "\"bad\""], context(scope))
        }
    }

    @Test func `a receipt that had expired at the time of the event, by the corrected clock, is rejected`() throws {
        let claims = context { $0.expiresAt = Timestamp(microseconds: Sample.receivedAt.microseconds - 60_000_000) }
        try Sample.expectRejection(.receiptExpired, naming: "receipt", receipt, claims)
        let event = Sample.event(["receipt": "\"good\"", "occurred_at": "\"2027-11-21T09:58:59Z\""])
        let body = "{\"sent_at\":\"2027-11-21T10:00:00Z\",\"events\":[\(event)]}"
        #expect(try Sample.validated(body.utf8, claims).events.count == 1)
    }

    @Test func `a receipt supplies the ids, its issue time, and campaign and category`() throws {
        let context = context {
            $0.campaignID = "spring"
            $0.variant = "b"
            $0.categoryID = "ORDER"
            $0.categoryVersion = 4
        }
        let event = try Sample.accepted(
            receipt.merging(["notification_id": nil, "device_id": nil, "campaign_id": "\"forged\""]) { $1 }, context)
        #expect(event.notificationID == "note" && event.deviceID == "device")
        #expect(event.campaignID == "spring" && event.variant == "b")
        #expect(event.categoryID == "ORDER" && event.categoryVersion == 4)
        #expect(event.receiptIssuedAt == Timestamp(microseconds: 1_795_000_000_000_000))
        #expect(event.verified)
        #expect(event.deliveryID == DeliveryIdentity.id(appID: 7, notificationID: "note", deviceID: "device"))
    }

    @Test func `an event's variant and version are kept if the receipt has the same campaign and category`()
        throws
    {
        let context = context {
            $0.campaignID = "spring"
            $0.categoryID = "ORDER"
        }
        let stated: [String: String?] = [
            "campaign_id": "\"spring\"", "variant": "\"b\"", "category_id": "\"OTHER\"", "category_version": "4",
        ]
        let event = try Sample.accepted(receipt.merging(stated) { $1 }, context)
        #expect(event.campaignID == "spring" && event.variant == "b")
        #expect(event.categoryID == "ORDER" && event.categoryVersion == nil)

        let other = receipt.merging(["campaign_id": "\"other\"", "variant": "\"b\""]) { $1 }
        let overridden = try Sample.accepted(other, context)
        #expect(overridden.campaignID == "spring" && overridden.variant == nil)
    }

    @Test(arguments: ["notification_id", "device_id"])
    func `an id that differs from the receipt's is a mismatch`(field: String) throws {
        try Sample.expectRejection(
            .receiptMismatch, naming: field, receipt.merging([field: "\"other\""]) { $1 }, context())
    }

    @Test func `ids are compared as bytes, not as characters`() throws {
        let context = context { $0.deviceID = "e\u{301}" }
        try Sample.expectRejection(
            .receiptMismatch, naming: "device_id", receipt.merging(["device_id": "\"\u{E9}\""]) { $1 }, context)
    }

    @Test func `an event is verified by a receipt bound to its device, or by a server's key`() throws {
        #expect(try Sample.accepted().verified == false)
        #expect(try Sample.accepted(receipt, context { $0.deviceID = nil }).verified == false)
        #expect(try Sample.accepted(receipt, context()).verified)
        #expect(try Sample.accepted([:], context(.send)).verified)
        #expect(try Sample.accepted([:], context(.manage)).verified)
    }

    @Test func `a receipt without a device leaves the device required`() throws {
        try Sample.expectRejection(
            .fieldMissing, naming: "device_id", receipt.merging(["device_id": nil]) { $1 },
            context { $0.deviceID = nil })
    }

    @Test func `an app can require receipts from devices, but not from servers or for events about the device only`()
        throws
    {
        try Sample.expectRejection(.receiptMissing, naming: "receipt", [:], context(requires: true))
        _ = try Sample.accepted(receipt, context(requires: true))
        try Sample.expectRejection(
            .receiptMissing, naming: "receipt", receipt, context(requires: true) { $0.deviceID = nil })
        _ = try Sample.accepted([:], context(.send, requires: true))
        _ = try Sample.accepted(["kind": "\"app_opened\""], context(requires: true))
        _ = try Sample.accepted(["kind": "\"converted\"", "notification_id": nil], context(requires: true))
        try Sample.expectRejection(
            .receiptMissing, naming: "receipt", ["kind": "\"converted\""], context(requires: true))
    }

    @Test func `claims that can't be stored make a receipt invalid`() throws {
        let long = String(repeating: "x", count: 257)
        for change in [
            { (claims: inout ReceiptClaims) in claims.notificationID = "" }, { $0.notificationID = long },
            { $0.variant = "a\0" }, { $0.categoryVersion = 0 },
        ] {
            try Sample.expectRejection(
                .receiptInvalid, naming: "receipt", receipt.merging(["notification_id": nil]) { $1 },
                context(.ingest, change))
        }
    }

    @Test func `a receipt that is too long is refused without being parsed`() throws {
        try Sample.expectRejection(
            .fieldTooLong, naming: "receipt", ["receipt": Sample.letters(4_097)],
            Sample.context(verifier: StubVerifier()))
    }
}
