import AfterpushWire

/// The evidence that an event's receipt and the key of its sender provide.
struct ReceiptEvidence {
    let claims: ReceiptClaims?

    /// Whether the event has a receipt bound to its device or was sent with a server's key.
    ///
    /// A `sent` event of a device is never verified: whoever has a receipt of their own could outrank the server's.
    let isVerified: Bool

    /// The kinds of names that the server vouches for.
    let serverNames: NameKinds

    init(_ fields: EventFields, _ kind: EventKind, at time: Timestamp, _ context: ValidationContext)
        throws(EventValidationError)
    {
        claims = try Self.claims(fields, at: time, context)
        let isFromServer = context.scope.allows(.send)
        isVerified = isFromServer || claims?.deviceID != nil && kind != .sent
        serverNames = isFromServer ? .all : claims?.names ?? []
        let isOutcome = kind == .converted && claims == nil && fields.field(.notificationID) == nil
        if context.requiresReceipt, claims?.deviceID == nil, !isFromServer, !kind.isAboutDevice, !isOutcome {
            let fault = claims == nil ? "is missing" : "names no device (claim sub)"
            throw EventValidationError(
                .receiptMissing, "receipt \(fault), and this app requires one that is bound to the device")
        }
    }

    /// Returns the ID in the receipt and the event, or `nil` if neither has one; throws if they differ.
    static func agreed(_ name: FieldName, stated: String?, claimed: String?) throws(EventValidationError) -> String? {
        guard let stated, let claimed else { return stated ?? claimed }
        guard claimed.isSame(as: stated) else {
            throw EventValidationError(.receiptMismatch, "\(name.name) differs from the one in the receipt")
        }
        return stated
    }

    private static func claims(
        _ fields: EventFields, at time: Timestamp, _ context: ValidationContext
    ) throws(EventValidationError) -> ReceiptClaims? {
        guard let receipt = try fields.text(.receipt, limit: context.limits.receiptBytes) else { return nil }
        guard let verifier = context.verifier else {
            throw EventValidationError(.receiptInvalid, "the receipt can't be verified: the app has no receipt secret")
        }
        let claims = try claims(of: receipt, verifier, at: time)
        guard claims.isStorable(limits: context.limits) else {
            throw EventValidationError(.receiptInvalid, "receipt has a claim that can't be stored")
        }
        return claims
    }

    private static func claims(
        of receipt: String, _ verifier: any ReceiptVerifier, at time: Timestamp
    ) throws(EventValidationError) -> ReceiptClaims {
        do throws(ReceiptError) {
            return try verifier.verify(receipt, at: time)
        } catch {
            switch error {
            case .invalid: throw EventValidationError(.receiptInvalid, "receipt is not valid")
            case .expired: throw EventValidationError(.receiptExpired, "receipt had expired when the event happened")
            }
        }
    }
}
