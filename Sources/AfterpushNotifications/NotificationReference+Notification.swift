#if canImport(UserNotifications) && !os(tvOS)
    public import AfterpushClient
    import AfterpushWire
    import Foundation
    public import UserNotifications

    extension NotificationReference {
        /// Creates a reference to a notification that was delivered.
        public init(_ notification: UNNotification) {
            self.init(notification.request, firedAt: notification.date)
        }

        /// Creates a reference to the pushed notification that a service extension received.
        public init(pushed request: UNNotificationRequest) {
            self.init(
                payload: request.content.userInfo, requestIdentifier: request.identifier, trigger: .push,
                categoryID: request.content.categoryIdentifier)
        }

        private init(_ request: UNNotificationRequest, firedAt date: Date) {
            self.init(
                payload: request.content.userInfo, requestIdentifier: request.identifier,
                trigger: Trigger(request.trigger), firedAt: date, categoryID: request.content.categoryIdentifier)
        }
    }

    extension Trigger {
        /// Creates a trigger. A request without one is a local notification that is shown immediately, which counts as a
        /// time interval.
        init(_ trigger: UNNotificationTrigger?) {
            if trigger is UNPushNotificationTrigger {
                self = .push
            } else if trigger is UNCalendarNotificationTrigger {
                self = .calendar
            } else {
                #if os(iOS) || os(watchOS) || os(Linux)
                    self = trigger is UNLocationNotificationTrigger ? .location : .timeInterval
                #else
                    self = .timeInterval
                #endif
            }
        }
    }
#endif
