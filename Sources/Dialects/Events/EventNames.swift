/// The names of events that systems use for the same facts, as data.
///
/// Names are compared without regard to case, with `_`, `-` and repeated spaces as one space.
package enum EventNames {
    /// What a name means.
    package enum Meaning: Sendable, Equatable {
        case kind(String)
        /// A tap: the action decides between an opening, an action, a typed reply and a dismissal.
        case tap
        /// The app was removed, so its token is no longer valid.
        case uninstalled
        /// The event's property `metric` says it.
        case metric
    }

    /// A name with what it means, and who uses it.
    package struct Entry: Sendable {
        package let name: String
        package let meaning: Meaning
        package let senders: String
    }

    package static let entries: [Entry] =
        names(
            .kind("sent"),
            [
                ("Push Notification Sent", "Braze"), ("Push Sent", "OneSignal, Pushwoosh, Customer.io"),
                ("Notification Sent iOS", "MoEngage"), ("Notification Sent Android", "MoEngage"),
                ("Notification Sent Web", "MoEngage"), ("Notification Sent Windows", "MoEngage"),
                ("users.messages.pushnotification.Send", "Braze, by RudderStack"),
            ])
        + names(
            .kind("failed"),
            [
                ("Push Notification Bounced", "Segment's specification, Braze, Leanplum"),
                ("Push Bounced", "Iterable, Customer.io"), ("Push Failed", "OneSignal, Customer.io"),
                ("Push Dropped", "Customer.io"), ("users.messages.pushnotification.Bounce", "Braze, by RudderStack"),
            ])
        + names(
            .kind("delivered"),
            [
                ("Push Notification Received", "Segment's specification"), ("Push Received", "OneSignal"),
                ("Push Delivered", "Pushwoosh, Insider, Customer.io; of Iterable it means sent"),
                ("Push Impressions", "CleverTap"), ("Notification Received Android", "MoEngage"),
                ("Notification Received iOS", "MoEngage"), ("Notification Received Web", "MoEngage"),
            ])
        + names(
            .kind("displayed"),
            [
                ("iOS Foreground Push Opened", "Braze: received while the app was open"),
                ("Notification Received iOS App Active", "MoEngage"),
                ("users.messages.pushnotification.IosForeground", "Braze, by RudderStack"),
            ])
        + names(
            .tap,
            [
                ("Push Notification Tapped", "Segment's specification"), ("Push Clicked", "OneSignal"),
                ("Push Opened", "Iterable, Customer.io"), ("Push Link Clicked", "Customer.io"),
                ("Notification Clicked Android", "MoEngage"), ("Notification Clicked iOS", "MoEngage"),
                ("Notification Clicked Web", "MoEngage"), ("Notification Clicked Windows", "MoEngage"),
                ("Notification Clicked", "CleverTap, of a push campaign"), ("Push Session", "Insider"),
                ("users.messages.pushnotification.Open", "Braze, by RudderStack"),
                ("$push_notification_opened", "PostHog"),
                ("[CLY]_push_action", "Countly"), ("[CLY]_push_open", "Countly, older SDKs"),
            ])
        + names(
            .kind("dismissed"),
            [
                ("Notification Dismissed iOS", "MoEngage"), ("Notification Swiped Android", "MoEngage"),
                ("Push Notification Dismissed", "common, without a specification"),
            ])
        + names(
            .kind("converted"),
            [
                ("Push Converted", "Customer.io"), ("Campaign Converted", "Braze"), ("Canvas Converted", "Braze"),
                ("Order Completed", "Segment's specification, if it names a notification"),
                ("Product Purchased", "commerce, if it names a notification"),
                ("Checkout Completed", "commerce, if it names a notification"),
                ("Subscription Started", "commerce, if it names a notification"),
                ("revenue_amount", "Amplitude"),
            ])
        + names(
            .kind("app_opened"),
            [
                ("Application Opened", "Segment's specification, PostHog"),
                ("[Amplitude] Application Opened", "Amplitude"),
                ("[CLY]_begin_session", "Countly: the parameter begin_session"),
                ("$ae_session", "Mixpanel, at the end of a session"), ("$app_open", "Mixpanel, older SDKs"),
            ])
        + names(
            .kind("token_registered"),
            [
                ("Device Created or Updated", "the SDK of Customer.io"),
                ("[CLY]_token_session", "Countly: the parameter token_session"),
            ])
        + names(
            .uninstalled,
            [
                ("Application Uninstalled", "Segment's specification"), ("App Uninstalled", "common"),
                ("Mobile App Uninstalled", "common"),
            ])
        + names(.kind("permission_granted"), [("Subscribed to Web Push", "MoEngage")])
        + names(
            .kind("permission_revoked"),
            [
                ("Unsubscribed from Web Push", "MoEngage"), ("Denied Web Push Subscription", "MoEngage"),
            ])
        + names(.metric, [("Report Delivery Event", "the SDK of Customer.io")])

    private static let meanings = Dictionary(entries.map { (normal($0.name), $0.meaning) }) { first, _ in first }

    /// Returns what a name means, or `nil` if it means nothing here.
    package static func meaning(of name: String) -> Meaning? { name.isShort ? meanings[normal(name)] : nil }

    /// Returns a name in the form in which names are compared.
    package static func normal(_ name: String) -> String {
        let space = UInt8(ascii: " ")
        var name = name.utf8.allSatisfy { $0 < 0x80 } ? name : name.lowercased()
        var normal: [UInt8] = []
        normal.reserveCapacity(name.utf8.count)
        name.withUTF8 { name in
            for byte in name {
                switch byte {
                case space, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "\t"):
                    if normal.last != space, !normal.isEmpty { normal.append(space) }
                case UInt8(ascii: "A")...UInt8(ascii: "Z"): normal.append(byte | 0x20)
                default: normal.append(byte)
                }
            }
        }
        if normal.last == space { normal.removeLast() }
        return String(decoding: normal, as: UTF8.self)
    }

    private static func names(_ meaning: Meaning, _ names: [(String, String)]) -> [Entry] {
        names.map { Entry(name: $0, meaning: meaning, senders: $1) }
    }
}
