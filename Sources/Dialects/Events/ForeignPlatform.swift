/// Platforms as other systems name them.
package enum ForeignPlatform {
    /// Returns the native word for a platform, an operating system, a browser or a client library; `nil` if it is
    /// unknown.
    package static func word(_ text: String?) -> String? {
        guard let text, text.isShort else { return nil }
        let word = text.lowercased()
        switch word {
        case "ios", "ipados", "iphone os", "ipad", "iphone", "apns", "apns_sandbox", "ios_channel": return "ios"
        case "android", "kindle", "gcm", "fcm", "amazon", "adm", "android_channel", "amazon_channel": return "android"
        case "macos", "mac os x", "mac os": return "macos"
        case "watchos": return "watchos"
        case "visionos", "xros": return "visionos"
        case "web", "chrome", "firefox", "safari", "edge", "analytics.js", "javascript": return "web"
        default: return word.hasPrefix("analytics-next") || word.hasPrefix("rudderlabs javascript") ? "web" : nil
        }
    }
}
