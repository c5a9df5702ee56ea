/// Why a request could not be acknowledged. The sender may try again.
package enum SinkError: Error, Sendable, Equatable {
    /// The database can't take it now, or did not say whether it did.
    case unavailable
    /// The database answers and refuses it, whatever is taken out of it.
    case refused
    /// Too much is waiting already.
    case overloaded
    /// The collector is stopping.
    case draining
}
