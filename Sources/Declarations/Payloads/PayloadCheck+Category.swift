import Events

/// Checks that depend on the category and on the platform that shows the notification.
extension PayloadCheck {
    mutating func checkCategory() {
        guard let name = names.category else {
            let extensions =
                payload.aps?["mutable-content"]?.isOn == true ? ", unless the service extension sets one" : ""
            note(.categoryMissing, "it names no category, so it offers no actions\(extensions)")
            return
        }
        guard let (category, version) = context.category else {
            note(.categoryUnknown, "the category '\(name)' is not declared, so no action of it has a conversion")
            return
        }
        let actions = category.actions.map(\.identifier)
        let offered = actions.isEmpty ? "no actions" : actions.joined(separator: ", ")
        note(.categoryKnown, "the category '\(name)', version \(version), offers \(offered)")
        for action in payload.webActions where !actions.contains(where: action.isSame) {
            note(.actionUndeclared, "it offers the action '\(action)', which the category does not declare")
        }
    }

    mutating func checkDismissals() {
        if payload.isForAndroid { note(.dismissObservable, "Android reports dismissals") }
        if payload.isForWeb { note(.dismissObservable, "the web reports dismissals, if the browser does") }
        guard payload.isForApple || payload.provider == nil else { return }
        guard let category = context.category?.declaration else {
            note(.dismissNotObservable, "iOS reports dismissals for declared categories only")
            return
        }
        if category.options.contains("customDismissAction") {
            note(.dismissObservable, "the category has customDismissAction, so dismissals are reported")
        } else {
            note(.dismissNotObservable, "the category lacks customDismissAction, so iOS reports no dismissal")
        }
    }

    mutating func checkConfirmation() {
        if payload.isForWeb { note(.deliveryConfirmable, "the page's push handler can confirm the delivery") }
        if payload.isShownByAndroid {
            note(
                .deliveryUnconfirmed,
                "with 'notification', Android shows it without running the app, so nothing confirms the delivery; send 'data' alone"
            )
        } else if payload.isForAndroid {
            note(.deliveryConfirmable, "the app shows it on Android, and can confirm the delivery")
        }
        guard payload.isForApple else { return }
        if payload.aps?["mutable-content"]?.isOn == true {
            note(.deliveryConfirmable, "with mutable-content, the service extension runs and can confirm the delivery")
        } else {
            note(
                .deliveryUnconfirmed,
                "without mutable-content, no service extension runs, so nothing confirms the delivery"
            )
        }
    }
}
