import AfterpushWire

/// What a tap on a notification was, by the action that its event names.
package enum TapAction {
    /// Sets the kind of an event of a tap.
    ///
    /// - Parameters:
    ///   - action: The action, if the event names one. `Open`, `default` and Apple's identifier are the notification
    ///     itself.
    ///   - userText: The typed text, if the event has one.
    package static func set(_ action: String?, userText: String? = nil, of event: inout NativeEvent) {
        switch action {
        case ActionIdentifier.appleDismiss: event.set(.kind, "dismissed")
        case nil, "", ActionIdentifier.appleDefault: event.set(.kind, "opened")
        case let action? where ["open", "default"].contains(action.lowercased()): event.set(.kind, "opened")
        case let action?:
            event.set(.kind, userText == nil ? "action" : "text_input")
            event.set(.actionIdentifier, action)
            event.set(.userText, userText)
        }
    }
}
