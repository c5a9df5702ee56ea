import AfterpushWire

/// What an event's receipt, if it has one, vouches for.
struct Receipted {
    let claims: ReceiptClaims?

    /// Whether the event is vouched for by a receipt bound to its device, or by a server's key.
    let isVerified: Bool

    init(_ fields: EventFields, _ kind: EventKind, at time: Timestamp, _ context: ValidationContext) throws(Refusal) {
        claims = try Self.claims(fields, at: time, context)
        let isFromServer = context.scope.allows(.send)
        isVerified = isFromServer || claims?.deviceID != nil
        if claims == nil, context.requiresReceipt, !isFromServer, !kind.isAboutDevice {
            throw Refusal(.receiptMissing, "receipt is missing, and this app requires one")
        }
    }

    /// The id that the receipt and the event agree on; nil if neither has one.
    static func agreed(_ name: FieldName, stated: String?, claimed: String?) throws(Refusal) -> String? {
        guard let stated, let claimed else { return stated ?? claimed }
        guard claimed.isSame(as: stated) else {
            throw Refusal(.receiptMismatch, "\(name.name) is not the one in the receipt")
        }
        return stated
    }

    private static func claims(
        _ fields: EventFields, at time: Timestamp, _ context: ValidationContext
    ) throws(Refusal) -> ReceiptClaims? {
        guard let receipt = try fields.text(.receipt, limit: context.limits.receiptBytes) else { return nil }
        guard let verifier = context.verifier else {
            throw Refusal(.receiptInvalid, "receipt can't be verified here")
        }
        let claims = try claims(of: receipt, verifier, at: time)
        guard claims.isStorable(limits: context.limits) else {
            throw Refusal(.receiptInvalid, "receipt holds a claim that can't be kept")
        }
        return claims
    }

    private static func claims(
        of receipt: String, _ verifier: any ReceiptVerifier, at time: Timestamp
    ) throws(Refusal) -> ReceiptClaims {
        do throws(ReceiptError) {
            return try verifier.verify(receipt, at: time)
        } catch {
            switch error {
            case .invalid: throw Refusal(.receiptInvalid, "receipt is not valid")
            case .expired: throw Refusal(.receiptExpired, "receipt had expired when the event happened")
            }
        }
    }
}
