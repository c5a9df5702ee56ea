/// One event of a body as it was sent: its position, its fields, and what is wrong with its JSON.
struct RawEvent: Sendable {
    /// The event's bytes. Of a line that is not JSON, those before the first that could not be read.
    let bytes: Range<Int>
    /// The event's fields, as positions in the submission's list.
    let fields: Range<Int>
    /// A bit for every field that is stated, so that absent ones need no search.
    let stated: UInt64
    let flaw: EventParseFailure?
}
