package import Events
import Instruments

extension RejectionCode: Label {
    package static let labelName = "code"
}

/// Why a request could not be acknowledged, as a label.
package enum UnacknowledgedCause: String, Label {
    case storageUnavailable = "storage_unavailable"
    case overloaded, draining

    package static let labelName = "cause"

    init(_ error: SinkError) {
        switch error {
        case .unavailable, .refused: self = .storageUnavailable
        case .overloaded: self = .overloaded
        case .draining: self = .draining
        }
    }
}

/// How it was found out what a key stands for.
package enum KeyLookup: String, Label {
    /// Without asking the database.
    case remembered
    case found, unknown
    /// The database did not answer, and the key was known well enough without it.
    case trusted
    case failed

    package static let labelName = "result"
}
