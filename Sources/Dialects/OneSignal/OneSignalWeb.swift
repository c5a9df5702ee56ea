import JSON

/// OneSignal's webhooks of web push, which the visitor's browser sends.
///
/// A key of scope `ingest` in the query of the address is enough. The browser adds the subscription only if the webhook
/// is set up with CORS; without it, no event names a device.
package enum OneSignalWeb: Dialect {
    package static let family = DialectFamily.onesignal
    package static let routes = [DialectRoute("POST", "/v1/hooks/onesignal-web")]

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody { try .hook(request) }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission {
        body.read { index, event, submission in
            let name = event["event"]?.text ?? ""
            let notification = event["notificationId"]?.text
            let data = event["additionalData"]?.object ?? event["data"]?.object
            // A notification is shown, clicked and dismissed once on a device, and the events have no ID of their own.
            let foreign = ForeignEvent(
                family, event, index: index, name: name, id: notification.map { "web:\($0)" },
                afterpush: event["afterpush"] ?? data?["afterpush"], settings)
            var native = foreign.native("")
            switch name.lowercased() {
            case "notification.willdisplay", "notification.displayed": native.set(.kind, "displayed")
            case "notification.clicked": TapAction.set(event["actionId"]?.text, of: &native)
            case "notification.dismissed": native.set(.kind, "dismissed")
            default: if !foreign.isMapped { return foreign.ignore(.unknownName, in: &submission) }
            }
            native.set(.platform, "web")
            let device = settings.device(token: event["subscriptionId"]?.text)
            foreign.add(native, notification: notification, device: device, to: &submission)
        }
    }
}
