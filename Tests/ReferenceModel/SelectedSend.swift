/// A declared send that a report selects; "declared sends are verified", so `verified` leaves none out.
struct SelectedSend {
    let placement: Placement
    let count: Int
    let failed: Int

    /// Nil if the selection leaves it out: by the hour of `sent_at`, and by what it states (decision D14).
    init?(_ send: DeclaredSend, declarations: Declarations, selection: Selection) {
        let hour = hourStart(send.sentAt)
        let dimensions = Dimensions(of: send)
        guard selection.selects(hour: hour), selection.selects(dimensions) else { return nil }
        placement = Placement(dimensions, hour: hour, declarations: declarations, asOf: selection.asOf)
        count = send.count
        failed = send.failed
    }
}
