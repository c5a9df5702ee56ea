/// Why sending came to an end, for now.
enum UploadResult: Equatable, Sendable {
    /// Nothing is left.
    case empty
    /// Another instance sends.
    case busy
    /// A request failed and may be tried again, not before so many seconds if the collector said so.
    case failed(retryAfter: Double?)
    /// A request failed, and nothing says that a try soon would end better.
    case kept
    /// The key is not good.
    case stopped
}
