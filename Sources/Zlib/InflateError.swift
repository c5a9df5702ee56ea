/// An error that says why a compressed body is refused.
package enum InflateError: Error, Equatable {
    /// The body doesn't have the stated format, or other data follows it.
    case corrupt
    /// The body is incomplete.
    case truncated
    /// The decompressed body exceeds the limit.
    case tooLarge
    /// The decompressed body is so much larger than the compressed one that it can only be an attack.
    case tooDense
}
