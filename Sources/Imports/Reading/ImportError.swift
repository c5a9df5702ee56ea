/// Why a file, or the import as a whole, can't go on. What was read before is stored all the same.
package enum ImportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file can't be opened or read: what the system says.
    case unreadable(String)
    /// The compressed file is damaged, or ends before its end.
    case gzipCorrupt
    case gzipTruncated
    /// The file's own form can't be followed any further.
    case malformed(what: String, line: Int)
    /// The header of a CSV file names what can't be imported.
    case header(String)
    /// The database does not take the events; what is stored already counts as duplicates the next time.
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
