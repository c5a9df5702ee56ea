/// The system a notification was shown on. Raw values are the words on the wire.
public enum Platform: String, Sendable, Hashable, Codable, CaseIterable {
    case iOS = "ios"
    case macOS = "macos"
    case watchOS = "watchos"
    case visionOS = "visionos"
    case android
    case web
}
