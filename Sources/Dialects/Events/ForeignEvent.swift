import AfterpushWire
package import JSON

/// An event of another system on its way to native ones.
///
/// What the app's mapping says of it, and an object of native fields in it, go before what its name means.
package struct ForeignEvent: Sendable {
    package let index: Int
    package let name: String
    package let settings: DialectSettings
    private let sourceID: String?
    private let rule: MappedRule?
    private let stated: JSONObject?
    private let receipt: String?

    /// Creates an event.
    ///
    /// - Parameters:
    ///   - event: The whole event, in which mappings find their paths.
    ///   - name: What the other system calls it.
    ///   - id: The other system's ID of the event, or `nil` if it has none.
    ///   - afterpush: The event's member `afterpush`: an object of native fields, or a receipt.
    package init(
        _ family: DialectFamily, _ event: JSONObject, index: Int, name: String, id: String?, afterpush: JSONElement?,
        _ settings: DialectSettings
    ) {
        self.index = index
        self.name = name
        self.settings = settings
        sourceID = id
        rule = settings.mappings.rule(family, name, event)
        stated = afterpush?.object
        receipt = afterpush?.string
    }

    /// Whether the app or the sender says what the event is, so that its name doesn't matter.
    package var isMapped: Bool { rule != nil || stated != nil }

    /// Returns a native event of this kind that occurred when the request arrived, unless its time is set.
    ///
    /// - Parameter id: What identifies the event in place of the other system's ID.
    package func native(_ kind: String, id: String? = nil) -> NativeEvent {
        var native = NativeEvent(kind: kind, index: index, source: name, sourceID: id ?? sourceID)
        native.set(.occurredAt, settings.receivedAt.description)
        return native
    }

    /// Adds a native event after the app's mapping and the stated fields have changed it.
    package func add(
        _ native: NativeEvent, notification: String?, device: String?, to submission: inout DialectSubmission
    ) {
        var native = native
        native.derivedDevice = device
        if let rule {
            // The button belongs to the kind that the name implies.
            native.remove(.actionIdentifier)
            native.remove(.userText)
            rule.apply(to: &native)
        }
        if let stated { native.override(with: stated) }
        native.nameDelivery(receipt: receipt, notification: notification, device: device)
        submission.add(native)
    }

    /// Adds the loss of a push token that a failure implies.
    package func addLostToken(
        _ failure: NativeEvent, reason: String, device: String?, to submission: inout DialectSubmission
    ) {
        guard !isMapped, device != nil else { return }
        var lost = native("token_failed")
        lost.derivedDevice = device
        lost.set(.deviceID, device)
        lost.set(.occurredAt, failure.text(.occurredAt))
        lost.describe(.reason, reason)
        lost.set(.platform, failure.text(.platform))
        submission.add(lost)
    }

    package func ignore(_ reason: IgnoredEvent.Reason, in submission: inout DialectSubmission) {
        submission.ignore(index, name, reason)
    }
}

extension NativeEvent {
    /// Whether a failure's reason says that the device's token is no longer valid.
    package static func saysTokenIsGone(_ reason: String?) -> Bool {
        let letters = reason?.lowercased().filter(\.isLetter) ?? ""
        return ["unregistered", "notregistered", "devicenotregistered", "uninstalled", "baddevicetoken"]
            .contains(letters)
    }
}
