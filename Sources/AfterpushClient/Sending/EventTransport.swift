public import Foundation

/// Carries requests to the collector. ``URLSessionTransport`` does in production.
public protocol EventTransport: Sendable {
    /// The answer, whatever its status; throws if none came whole within the request's time.
    func answer(to request: TransportRequest) async throws -> TransportResponse
}

/// A request to the collector.
public struct TransportRequest: Sendable {
    public var method: String
    public var url: URL
    public var headers: [String: String]
    public var body: Data?
    /// Seconds that the answer may take, from the beginning to its last byte.
    public var timeout: TimeInterval
}

/// What the collector, or something before it, answered.
public struct TransportResponse: Sendable {
    public var status: Int
    /// Names in small letters.
    public var headers: [String: String]
    public var body: Data

    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
