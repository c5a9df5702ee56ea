import AfterpushWire
import Foundation

/// The names that identify an event's delivery or device.
struct DeliveryNames {
    let notificationID: String?
    let deviceID: String

    init(_ fields: EventFields, _ kind: EventKind, _ claims: ReceiptClaims?) throws(EventValidationError) {
        notificationID = try ReceiptEvidence.agreed(
            .notificationID, stated: fields.text(.notificationID), claimed: claims?.notificationID)
        // A conversion without a notification is an outcome of the device alone.
        guard notificationID != nil || kind.isAboutDevice || kind == .converted else { throw .missing(.notificationID) }
        guard
            let deviceID = try ReceiptEvidence.agreed(
                .deviceID, stated: fields.text(.deviceID), claimed: claims?.deviceID)
        else { throw .missing(.deviceID) }
        self.deviceID = deviceID
    }

    func id(_ kind: EventKind, appID: Int32) -> UUID {
        DeliveryIdentity.id(
            appID: appID, notificationID: kind.isAboutDevice ? nil : notificationID, deviceID: deviceID)
    }
}
