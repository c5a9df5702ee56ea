extension Submission {
    /// Whether any event has a receipt; otherwise no secrets need to be looked up.
    package var statesReceipts: Bool {
        events.contains { $0.stated & FieldName.receipt.bit != 0 }
    }
}
