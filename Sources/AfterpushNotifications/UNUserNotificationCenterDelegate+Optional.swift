#if canImport(UserNotifications) && !os(tvOS)
    import Foundation
    import UserNotifications

    /// The calls of the delegate's methods, which are optional in Objective-C. Each returns whether the delegate
    /// implements the method. Linux has no optional methods: there, a stand-in of the protocol has default
    /// implementations.
    extension UNUserNotificationCenterDelegate {
        func willPresent(
            _ center: UNUserNotificationCenter, _ notification: UNNotification,
            _ completion: @escaping (UNNotificationPresentationOptions) -> Void
        ) -> Bool {
            #if os(Linux)
                userNotificationCenter(center, willPresent: notification, withCompletionHandler: completion)
                return true
            #else
                return userNotificationCenter?(
                    center, willPresent: notification, withCompletionHandler: completion) != nil
            #endif
        }

        func didReceive(
            _ center: UNUserNotificationCenter, _ response: UNNotificationResponse,
            _ completion: @escaping () -> Void
        ) -> Bool {
            #if os(Linux)
                userNotificationCenter(center, didReceive: response, withCompletionHandler: completion)
                return true
            #else
                return userNotificationCenter?(center, didReceive: response, withCompletionHandler: completion) != nil
            #endif
        }

        #if !os(watchOS)
            func openSettings(_ center: UNUserNotificationCenter, _ notification: UNNotification?) -> Bool {
                #if os(Linux)
                    userNotificationCenter(center, openSettingsFor: notification)
                    return true
                #else
                    return userNotificationCenter?(center, openSettingsFor: notification) != nil
                #endif
            }
        #endif
    }
#endif
