public import Foundation

/// A stand-in for Apple's type.
open class UNNotificationTrigger: NSObject {
    public let repeats: Bool

    fileprivate init(repeats: Bool) {
        self.repeats = repeats
    }
}

/// A stand-in for Apple's type. It has an initializer, whereas Apple's system creates these itself.
open class UNPushNotificationTrigger: UNNotificationTrigger {
    package init() {
        super.init(repeats: false)
    }
}

/// A stand-in for Apple's type.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
    public let timeInterval: TimeInterval

    public init(timeInterval: TimeInterval, repeats: Bool) {
        self.timeInterval = timeInterval
        super.init(repeats: repeats)
    }
}

/// A stand-in for Apple's type.
open class UNCalendarNotificationTrigger: UNNotificationTrigger {
    public let dateComponents: DateComponents

    public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
        self.dateComponents = dateComponents
        super.init(repeats: repeats)
    }
}

/// A stand-in for Apple's type without the region, because Linux has no CoreLocation.
open class UNLocationNotificationTrigger: UNNotificationTrigger {
    package override init(repeats: Bool) {
        super.init(repeats: repeats)
    }
}
