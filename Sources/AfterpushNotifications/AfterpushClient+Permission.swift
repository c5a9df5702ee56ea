#if canImport(UserNotifications) && !os(tvOS)
    public import AfterpushClient
    public import Foundation
    public import UserNotifications

    extension AfterpushClient {
        /// Records whether notifications are allowed, if that changed since it was last recorded, in this process or
        /// another. Ask at each start: permission is revoked in the Settings app, which tells nobody.
        @discardableResult
        public func recordPermission(_ status: UNAuthorizationStatus) async throws(RecordError) -> UUID? {
            switch status {
            case .notDetermined: return nil
            case .denied: return try await recordPermission(isGranted: false)
            default: return try await recordPermission(isGranted: true)
            }
        }
    }
#endif
