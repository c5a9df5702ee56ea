public import Foundation

/// A stand-in for Apple's type.
open class UNNotificationContent: NSObject {
    fileprivate var values = Values()

    fileprivate struct Values {
        var title = ""
        var body = ""
        var categoryIdentifier = ""
        var userInfo: [AnyHashable: Any] = [:]
        var attachments: [UNNotificationAttachment] = []
    }

    open var title: String { values.title }
    open var body: String { values.body }
    open var categoryIdentifier: String { values.categoryIdentifier }
    open var userInfo: [AnyHashable: Any] { values.userInfo }
    open var attachments: [UNNotificationAttachment] { values.attachments }

    public override init() {}

    open override func mutableCopy() -> Any {
        let copy = UNMutableNotificationContent()
        copy.values = values
        return copy
    }
}

/// A stand-in for Apple's type.
open class UNMutableNotificationContent: UNNotificationContent {
    open override var title: String {
        get { values.title }
        set { values.title = newValue }
    }

    open override var body: String {
        get { values.body }
        set { values.body = newValue }
    }

    open override var categoryIdentifier: String {
        get { values.categoryIdentifier }
        set { values.categoryIdentifier = newValue }
    }

    open override var userInfo: [AnyHashable: Any] {
        get { values.userInfo }
        set { values.userInfo = newValue }
    }

    open override var attachments: [UNNotificationAttachment] {
        get { values.attachments }
        set { values.attachments = newValue }
    }
}

/// A stand-in for Apple's type.
open class UNNotificationAttachment: NSObject {
    public let identifier: String
    public let url: URL

    public convenience init(identifier: String, url: URL, options: [AnyHashable: Any]? = nil) throws {
        guard FileManager.default.fileExists(atPath: url.path) else { throw CocoaError(.fileNoSuchFile) }
        self.init(identifier, url)
    }

    private init(_ identifier: String, _ url: URL) {
        self.identifier = identifier
        self.url = url
    }
}
