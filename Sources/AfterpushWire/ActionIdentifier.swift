/// Action identifiers that have a meaning of their own. Every other one belongs to a category's action.
public enum ActionIdentifier {
    /// The person tapped the notification itself (`UNNotificationDefaultActionIdentifier`).
    public static let appleDefault = "com.apple.UNNotificationDefaultActionIdentifier"

    /// The person dismissed the notification (`UNNotificationDismissActionIdentifier`).
    public static let appleDismiss = "com.apple.UNNotificationDismissActionIdentifier"
}
