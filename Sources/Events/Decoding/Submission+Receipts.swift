extension Submission {
    /// Whether any event comes with a receipt; if none does, nobody has to look for secrets.
    package var statesReceipts: Bool {
        events.contains { $0.stated & FieldName.receipt.bit != 0 }
    }
}
