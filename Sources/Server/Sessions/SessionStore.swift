package import AfterpushWire

/// Where sessions are kept, by the SHA-256 of their tokens.
package struct SessionStore: Sendable {
    package typealias Begin = @Sendable (_ hash: [UInt8], _ keyID: Int32) async throws -> Timestamp?
    package typealias Find = @Sendable (_ hash: [UInt8]) async throws -> Session?
    package typealias End = @Sendable (_ hash: [UInt8]) async throws -> Void

    /// How long a session holds.
    let lifetime: Duration
    /// Begins one and says when it ends; nil if the key is not good.
    let begin: Begin
    /// Returns nil if there is no such session, it has expired, or its key was revoked.
    let find: Find
    let end: End

    package init(
        lifetime: Duration, begin: @escaping Begin, find: @escaping Find, end: @escaping End
    ) {
        self.lifetime = lifetime
        self.begin = begin
        self.find = find
        self.end = end
    }
}
