import AfterpushWire
public import Foundation

extension AfterpushClient {
    /// Records that the app got a token. The event tells whether it is another one than before, not the token.
    ///
    /// - Parameter token: as `didRegisterForRemoteNotificationsWithDeviceToken` has it.
    @discardableResult
    public func recordToken(_ token: Data) async throws(RecordError) -> UUID? {
        let checksum = Compression.checksum(Array(token)[...])
        var event = DeviceEvent.tokenRegistered
        event.properties["token_changed"] = .bool(facts.changes(.token, to: String(checksum, radix: 16)))
        return try await record(event)
    }

    /// Records whether notifications are allowed, if that changed since it was last recorded.
    @discardableResult
    public func recordPermission(isGranted: Bool) async throws(RecordError) -> UUID? {
        guard facts.changes(.permission, to: isGranted ? "granted" : "revoked") else { return nil }
        return try await record(isGranted ? .permissionGranted : .permissionRevoked)
    }

    /// Notes that an extension recorded a response that the app will get as well.
    package func noteForwarding(of event: DeviceEvent) {
        facts.noteForwarding(of: Self.name(of: event))
    }

    /// Whether the extension has recorded the response that the app got now.
    func takeForwarding(of event: DeviceEvent) -> Bool {
        facts.takeForwarding(of: Self.name(of: event))
    }

    private static func name(of event: DeviceEvent) -> String {
        "\(event.notification?.notificationID ?? "")\n\(event.actionIdentifier ?? "")"
    }
}
