import AfterpushWire
public import Foundation
import Zlib

extension AfterpushClient {
    /// Records that the app has received its device token. Call it at every start.
    ///
    /// The event says only whether the token has changed since the last call. The token itself is neither stored nor
    /// sent.
    ///
    /// ```swift
    /// func application(
    ///     _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data
    /// ) {
    ///     Task { try await client.recordToken(token) }
    /// }
    /// ```
    ///
    /// - Parameter token: The token that `didRegisterForRemoteNotificationsWithDeviceToken` received.
    /// - Returns: The id of the event, or nil if the person has opted out.
    @discardableResult
    public func recordToken(_ token: Data) async throws(RecordError) -> UUID? {
        let checksum = Gzip.checksum(Array(token)[...])
        var event = DeviceEvent.tokenRegistered
        event.properties["token_changed"] = .bool(sharedState.update(.token, to: String(checksum, radix: 16)))
        return try await record(event)
    }

    /// Records whether the person allows notifications, if that has changed since the last call.
    ///
    /// - Returns: The id of the event, or nil if nothing has changed or the person has opted out.
    @discardableResult
    public func recordPermission(isGranted: Bool) async throws(RecordError) -> UUID? {
        guard sharedState.update(.permission, to: isGranted ? "granted" : "revoked") else { return nil }
        return try await record(isGranted ? .permissionGranted : .permissionRevoked)
    }

    /// Notes that an extension has recorded a response that the app receives as well.
    package func markForwarded(_ event: DeviceEvent) {
        sharedState.markForwarded(Self.responseKey(of: event))
    }

    /// Returns whether the extension has recorded the response that the app received, and removes the extension's note.
    func consumeForwarded(_ event: DeviceEvent) -> Bool {
        sharedState.consumeForwarded(Self.responseKey(of: event))
    }

    private static func responseKey(of event: DeviceEvent) -> String {
        "\(event.notification?.notificationID ?? "")\n\(event.actionIdentifier ?? "")"
    }
}
