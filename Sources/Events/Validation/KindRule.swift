import AfterpushWire

/// Determines the kind of an event from its fields `kind` and `action_identifier`.
enum KindRule {
    static func kind(stated: EventKind?, action: String?, hasText: Bool) throws(EventValidationError) -> EventKind {
        guard let action else { return try kind(statedAlone: stated, hasText: hasText) }
        let implied = implied(by: action, hasText: hasText)
        if hasText, implied != .textInput {
            throw EventValidationError(.kindMismatch, "user_text is not allowed with this action_identifier")
        }
        guard let stated, stated != implied else { return implied }
        // The app may have withheld the typed text.
        if stated == .textInput, implied == .action { return .textInput }
        throw EventValidationError(
            .kindMismatch, "kind is \(stated.rawValue), but action_identifier implies \(implied.rawValue)")
    }

    private static func kind(statedAlone stated: EventKind?, hasText: Bool) throws(EventValidationError) -> EventKind {
        guard let stated else {
            throw EventValidationError(.fieldMissing, "kind is missing, and no action_identifier implies it")
        }
        if stated == .action || stated == .textInput {
            throw EventValidationError(.kindMismatch, "kind is \(stated.rawValue), but action_identifier is missing")
        }
        if hasText {
            throw EventValidationError(.kindMismatch, "user_text is not allowed with kind \(stated.rawValue)")
        }
        return stated
    }

    private static func implied(by action: String, hasText: Bool) -> EventKind {
        switch action {
        case ActionIdentifier.appleDefault: .opened
        case ActionIdentifier.appleDismiss: .dismissed
        default: hasText ? .textInput : .action
        }
    }
}
