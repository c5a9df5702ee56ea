public import Foundation

/// A stand-in for Apple's type.
open class UNNotificationServiceExtension: NSObject {
    public override init() {}

    open func didReceive(
        _ request: UNNotificationRequest,
        withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        contentHandler(request.content)
    }

    open func serviceExtensionTimeWillExpire() {}
}
