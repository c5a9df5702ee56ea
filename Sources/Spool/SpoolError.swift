/// Why the spool could not do what it was asked to. Nothing of a group that failed counts as kept.
package enum SpoolError: Error, Sendable, Equatable {
    /// It holds as much as it may, or the disk has too little room left.
    case full
    /// The spool file can't be read or written; it is reopened after a while.
    case unusable(reason: String)
    /// The directory can't be used as it is: for the operator to mend, before start.
    case directory(path: String, reason: String)
}

extension SpoolError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .full: "the spool is full"
        case .unusable(let reason): "the spool can't be used: \(reason)"
        case .directory(let path, let reason):
            "the spool's directory \(path) can't be used: \(reason); name another one with AFTERPUSH_SPOOL_DIR, "
                + "or switch the spool off with AFTERPUSH_SPOOL_BYTES=0"
        }
    }
}
