package import Events

/// Why a list that a server posted is not taken: all of it, since a server can mend it and send it again.
///
/// The description names the entry and the field, never what stands there.
package struct DeclarationError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        /// The body can't be read.
        case malformed
        /// The list is longer than a request's may be.
        case tooMany
        /// One entry is wrong; the code is that of an event with the same fault.
        case entry(RejectionCode)
    }

    package let reason: Reason
    package let description: String

    package init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}
