/// Why an event could not be recorded. The app may go on; only this event is not kept.
public enum RecordError: Error, Sendable, Hashable {
    /// There is no room on the disk, or no more is allowed.
    case diskFull
    /// The queue's directory can't be written to; `code` is the system's, as in `errno`.
    case notWritable(code: Int32)
    /// The event is larger than a collector takes.
    case tooLarge(bytes: Int)
    /// The event holds a number that JSON has no form for.
    case notEncodable

    init(_ error: FileError) {
        self = error.isFull ? .diskFull : .notWritable(code: error.code)
    }
}
