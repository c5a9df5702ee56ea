/// Why a compressed body can't be taken.
package enum InflateError: Error, Equatable {
    /// Not of its format, or followed by something else.
    case corrupt
    /// It ends before its end.
    case truncated
    /// More than the limit of bytes when decompressed.
    case tooLarge
    /// More bytes come out of those that went in than anything but an attack makes.
    case tooDense
}
