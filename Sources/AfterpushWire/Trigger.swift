/// What made the system show a notification. Raw values are the words on the wire.
public enum Trigger: String, Sendable, Hashable, Codable, CaseIterable {
    case push
    case timeInterval = "time_interval"
    case calendar
    case location

    /// Whether the notification came from the app itself, so that no server knows of its sending.
    public var isLocal: Bool { self != .push }
}
