public import Foundation

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
