package import AfterpushWire

/// The claims of a receipt with a valid signature.
package struct ReceiptClaims: Sendable, Equatable {
    /// The claim `iss`.
    package var app: String
    /// The claim `jti`.
    package var notificationID: String
    /// The claim `sub`; without it the receipt is valid for any device.
    package var deviceID: String?
    /// The claim `iat`.
    package var issuedAt: Timestamp
    /// The claim `exp`.
    package var expiresAt: Timestamp
    /// The claim `cmp`.
    package var campaignID: String?
    /// The claim `cat`.
    package var categoryID: String?
    /// The claim `ver`.
    package var categoryVersion: Int32?
    /// The claim `var`.
    package var variant: String?

    package init(
        app: String, notificationID: String, deviceID: String? = nil, issuedAt: Timestamp, expiresAt: Timestamp,
        campaignID: String? = nil, categoryID: String? = nil, categoryVersion: Int32? = nil, variant: String? = nil
    ) {
        self.app = app
        self.notificationID = notificationID
        self.deviceID = deviceID
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.campaignID = campaignID
        self.categoryID = categoryID
        self.categoryVersion = categoryVersion
        self.variant = variant
    }
}

extension ReceiptClaims {
    /// The kinds of names that the receipt states.
    var names: NameKinds {
        var names: NameKinds = []
        if campaignID != nil { names.insert(NameKinds(.campaign)) }
        if variant != nil { names.insert(NameKinds(.variant)) }
        if categoryID != nil { names.insert(NameKinds(.category)) }
        if categoryVersion != nil { names.insert(NameKinds(.categoryVersion)) }
        return names
    }

    /// Whether the claims obey the rules for an event's own fields; anyone's library can issue receipts.
    package func isStorable(limits: Limits) -> Bool {
        let texts = [notificationID, deviceID, campaignID, categoryID, variant]
        return texts.allSatisfy { text in
            guard let text else { return true }
            return !text.isEmpty && text.utf8.count <= limits.identifierBytes && !text.utf8.contains(0)
        } && (categoryVersion ?? 1) >= 1
    }
}

/// Verifies the receipts of one app.
package protocol ReceiptVerifier: Sendable {
    /// Returns the claims of a receipt that had not expired at the event's corrected time.
    func verify(_ receipt: String, at time: Timestamp) throws(ReceiptError) -> ReceiptClaims
}

/// The reason why a receipt is refused.
package enum ReceiptError: Error, Sendable, Hashable {
    /// The text is not a receipt, belongs to another app, or has a wrong signature.
    case invalid
    /// The receipt expired before the event happened.
    case expired
}

/// The periods for which receipts and their secrets are valid.
package enum ReceiptLifetime {
    /// The validity of a receipt without an expiry time of its own.
    package static let validity: Duration = .seconds(30 * 86_400)
    /// The longest validity that `POST /v1/receipts` gives a receipt.
    package static let longestValidity: Duration = .seconds(90 * 86_400)
    /// The time for which a rotated secret still verifies: the longest validity and a month for offline devices.
    package static let overlap: Duration = .seconds(120 * 86_400)
    /// The maximum number of secrets that verify at the same time, because a receipt may be tried with each.
    package static let secrets = 8

    package static func end(of issuedAt: Timestamp, after validity: Duration = validity) -> Timestamp {
        Timestamp(microseconds: issuedAt.microseconds + validity.components.seconds * 1_000_000)
    }
}
