#if canImport(UserNotifications) && !os(tvOS)
    public import AfterpushClient
    import AfterpushWire
    import Foundation
    public import UserNotifications

    extension NotificationReference {
        /// The notification that a response, or a presentation, is about.
        public init(_ notification: UNNotification) {
            self.init(notification.request, firedAt: notification.date)
        }

        /// The notification that a service extension was given, which came by push.
        public init(pushed request: UNNotificationRequest) {
            self.init(
                payload: request.content.userInfo, request: request.identifier, trigger: .push,
                categoryID: request.content.categoryIdentifier)
        }

        private init(_ request: UNNotificationRequest, firedAt date: Date) {
            self.init(
                payload: request.content.userInfo, request: request.identifier, trigger: Trigger(request.trigger),
                firedAt: date, categoryID: request.content.categoryIdentifier)
        }
    }

    extension Trigger {
        /// Without a trigger it is a local notification that was shown at once: after no time.
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
