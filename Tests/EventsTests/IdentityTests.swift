import Events
import Foundation
import Testing

@Suite struct IdentityTests {
    @Test func `a delivery's id is the hash of its names as a UUID of version 8, with the bucket of its device`() {
        let id = DeliveryIdentity.id(appID: 1, notificationID: "note", deviceID: "device")
        #expect(id.uuidString == "D9E85933-FFC8-8D16-8599-A98BB0E483BC")
        let bytes = id.uuid
        #expect(bytes.6 >> 4 == 8 && bytes.8 >> 6 == 2)
        #expect(UInt64(bytes.15 & 127) == DeliveryIdentity.deviceBucket("device"))
    }

    @Test func `deliveries of a device are in its bucket in every app, and devices spread over 128 buckets evenly`() {
        let known: [(String, UInt64)] = [("", 82), ("a", 77), ("device", 60), ("device-1", 78), ("\u{E9}", 29)]
        for (device, bucket) in known { #expect(DeliveryIdentity.deviceBucket(device) == bucket) }
        for (app, notification) in [(1, "a"), (1, "b"), (7, "a")] as [(Int32, String)] {
            let id = DeliveryIdentity.id(appID: app, notificationID: notification, deviceID: "device")
            #expect(id.uuid.15 & 127 == 60)
        }
        var counts = [Int](repeating: 0, count: 128)
        for number in 0..<100_000 { counts[Int(DeliveryIdentity.deviceBucket("device-\(number)"))] += 1 }
        let chiSquare = counts.map { (Double($0) - 781.25) * (Double($0) - 781.25) / 781.25 }.reduce(0, +)
        // The quantile of 0.9999 with 127 degrees of freedom.
        #expect(chiSquare < 192, "\(chiSquare)")
    }

    @Test func `each differing name yields another delivery`() {
        let ids = [
            DeliveryIdentity.id(appID: 1, notificationID: "ab", deviceID: "c"),
            DeliveryIdentity.id(appID: 1, notificationID: "a", deviceID: "bc"),
            DeliveryIdentity.id(appID: 2, notificationID: "ab", deviceID: "c"),
            DeliveryIdentity.id(appID: 1, notificationID: nil, deviceID: "c"),
            DeliveryIdentity.id(appID: 1, notificationID: nil, deviceID: "\0\0\0\u{2}ab\0\0\0\u{1}c"),
            DeliveryIdentity.id(appID: 1, notificationID: "\u{E9}", deviceID: "c"),
            DeliveryIdentity.id(appID: 1, notificationID: "e\u{301}", deviceID: "c"),
        ]
        #expect(Set(ids).count == ids.count)
    }

    @Test func `the rejection codes are those of the contract`() {
        let codes = """
            invalid_json_type event_id_invalid kind_unknown kind_mismatch field_missing field_invalid field_too_long \
            text_invalid occurred_at_invalid occurred_at_out_of_range scope_insufficient receipt_missing receipt_invalid \
            receipt_expired receipt_mismatch device_suppressed too_many_actions limit_exceeded storage_refused
            """
        #expect(RejectionCode.allCases.map(\.rawValue) == codes.split(separator: " ").map(String.init))
    }

    @Test func `an event is small enough to move cheaply`() {
        #expect(MemoryLayout<Event>.size <= 256)
    }
}
