public import Foundation

/// A stand-in for Apple's type.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    public static let badge = UNNotificationPresentationOptions(rawValue: 1)
    public static let sound = UNNotificationPresentationOptions(rawValue: 2)
    public static let list = UNNotificationPresentationOptions(rawValue: 8)
    public static let banner = UNNotificationPresentationOptions(rawValue: 16)
}

/// A stand-in for Apple's type.
public enum UNAuthorizationStatus: Int, Sendable {
    case notDetermined = 0
    case denied = 1
    case authorized = 2
    case provisional = 3
}

/// A stand-in for Apple's protocol. Its methods are optional there: an app's delegate implements those that it needs.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void)

    func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

/// The default for a method that a delegate does not implement.
extension UNUserNotificationCenterDelegate {
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
    ) {
        completionHandler([])
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping () -> Void
    ) {
        completionHandler()
    }

    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) {}
}

/// A stand-in for Apple's type with an initializer.
open class UNNotificationSettings: NSObject, @unchecked Sendable {
    public var authorizationStatus: UNAuthorizationStatus { .authorized }

    override init() {}
}

/// A stand-in for Apple's type with an initializer, because Apple has one centre per app.
// Safe as far as tests use it: one at a time.
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
    public weak var delegate: (any UNUserNotificationCenterDelegate)?
    package private(set) var categories: Set<UNNotificationCategory> = []

    private static let only = UNUserNotificationCenter()

    package override init() {}

    open class func current() -> UNUserNotificationCenter { only }

    open func notificationSettings() async -> UNNotificationSettings { UNNotificationSettings() }

    open func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
        self.categories = categories
    }
}
