/// Why an entry of the spool can't be read.
package enum BinaryFormatError: Error, Sendable, Equatable {
    /// Written in a form that this program doesn't know.
    case unknownVersion(UInt8)
    /// Not what a program wrote.
    case malformed
}
