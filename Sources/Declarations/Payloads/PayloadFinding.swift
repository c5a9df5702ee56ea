/// A fact about what Afterpush will or won't learn about a payload's notifications.
package struct PayloadFinding: Sendable, Equatable {
    package enum Severity: String, Sendable {
        /// The notifications or their events would be refused.
        case error
        /// The reports will be incomplete.
        case warning
        case info
    }

    /// A stable code with a fixed severity.
    package enum Code: String, Sendable, CaseIterable {
        case providerRecognised = "provider_recognised"
        case providerUnknown = "provider_unknown"
        case background
        case notificationIDPresent = "notification_id_present"
        case notificationIDMissing = "notification_id_missing"
        case identifierInvalid = "identifier_invalid"
        case categoryKnown = "category_known"
        case categoryUnknown = "category_unknown"
        case categoryMissing = "category_missing"
        case actionUndeclared = "action_undeclared"
        case dismissObservable = "dismiss_observable"
        case dismissNotObservable = "dismiss_not_observable"
        case deliveryConfirmable = "delivery_confirmable"
        case deliveryUnconfirmed = "delivery_unconfirmed"
        case campaignKnown = "campaign_known"
        case campaignUnknown = "campaign_unknown"
        case campaignMissing = "campaign_missing"
        case campaignArchived = "campaign_archived"
        case campaignCategoryDiffers = "campaign_category_differs"
        case variantKnown = "variant_known"
        case variantUnknown = "variant_unknown"
        case variantMissing = "variant_missing"
        case receiptValid = "receipt_valid"
        case receiptMissing = "receipt_missing"
        case receiptRequired = "receipt_required"
        case receiptInvalid = "receipt_invalid"
        case receiptExpired = "receipt_expired"
        case receiptMismatch = "receipt_mismatch"
        case receiptOverrides = "receipt_overrides"
        case receiptUnbound = "receipt_unbound"
        case sizeFits = "size_fits"
        case payloadTooLarge = "payload_too_large"

        package var severity: Severity {
            switch self {
            case .providerUnknown, .identifierInvalid, .receiptRequired, .receiptInvalid, .receiptExpired,
                .receiptMismatch, .payloadTooLarge:
                .error
            case .notificationIDMissing, .categoryUnknown, .categoryMissing, .actionUndeclared, .dismissNotObservable,
                .deliveryUnconfirmed, .campaignUnknown, .campaignMissing, .campaignArchived, .campaignCategoryDiffers,
                .variantUnknown, .variantMissing, .receiptMissing, .receiptOverrides, .receiptUnbound:
                .warning
            case .providerRecognised, .background, .notificationIDPresent, .categoryKnown, .dismissObservable,
                .deliveryConfirmable, .campaignKnown, .variantKnown, .receiptValid, .sizeFits:
                .info
            }
        }
    }

    package let code: Code
    /// A text for people. It quotes the payload, so only its sender gets it.
    package let detail: String

    package var severity: Severity { code.severity }

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}
