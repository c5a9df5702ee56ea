/// The reason why a file, or the whole import, can't continue. Events read before it are stored all the same.
package enum ImportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file can't be opened or read, with the system's message.
    case unreadable(String)
    /// The compressed file is damaged.
    case gzipCorrupt
    /// The compressed file ends too early.
    case gzipTruncated
    /// The structure of the file is invalid from this line on.
    case malformed(what: String, line: Int)
    /// The header of a CSV file is invalid: for example, a column is repeated or `event_id` is missing.
    case header(String)
    /// The database did not store the events; those stored already count as duplicates in the next run.
    case storage(String)

    package var description: String {
        switch self {
        case .unreadable(let reason): "it can't be read: \(reason)"
        case .gzipCorrupt: "the compressed file is corrupt"
        case .gzipTruncated: "the compressed file is truncated"
        case .malformed(let what, let line): "line \(line): \(what)"
        case .header(let what): "the header \(what)"
        case .storage(let what): "the database did not store the events: \(what)"
        }
    }
}
