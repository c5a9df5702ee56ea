public import Foundation

/// As Apple's.
open class UNNotificationTrigger: NSObject {
    public let repeats: Bool

    fileprivate init(repeats: Bool) {
        self.repeats = repeats
    }
}

/// As Apple's, but for the initialiser: Apple makes these itself.
open class UNPushNotificationTrigger: UNNotificationTrigger {
    package init() {
        super.init(repeats: false)
    }
}

/// As Apple's.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
    public let timeInterval: TimeInterval

    public init(timeInterval: TimeInterval, repeats: Bool) {
        self.timeInterval = timeInterval
        super.init(repeats: repeats)
    }
}

/// As Apple's.
open class UNCalendarNotificationTrigger: UNNotificationTrigger {
    public let dateComponents: DateComponents

    public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        self.dateComponents = dateComponents
        super.init(repeats: repeats)
    }
}

/// As Apple's, but for the region: Linux has no CoreLocation.
open class UNLocationNotificationTrigger: UNNotificationTrigger {
    package override init(repeats: Bool) {
        super.init(repeats: repeats)
    }
}
