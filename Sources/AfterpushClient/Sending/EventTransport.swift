public import Foundation

/// A type that carries requests to the collector.
///
/// The default is ``URLSessionTransport`` on Apple platforms, and a transport over libcurl on Linux. Implement your own
/// for tests, or to send over a connection that your app has anyway:
///
/// ```swift
/// struct NoNetwork: EventTransport {
///     func send(_ request: TransportRequest) async throws -> TransportResponse {
///         throw URLError(.notConnectedToInternet)
///     }
/// }
/// let client = AfterpushClient(configuration, transport: NoNetwork())
/// ```
public protocol EventTransport: Sendable {
    /// Sends a request and returns its response, whatever its status.
    ///
    /// Don't retry and don't follow redirects: the client decides when to try again, and events are for the collector
    /// only.
    ///
    /// - Throws: Any error if no complete response arrived within ``TransportRequest/timeout``. The client keeps the
    ///   events and tries again later.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

/// A request to the collector.
public struct TransportRequest: Sendable {
    /// The method, such as `POST`.
    public var method: String
    /// The address, with its query.
    public var url: URL
    /// The header fields, by name.
    public var headers: [String: String]
    /// The body, or nil for a request without one.
    public var body: Data?
    /// The seconds within which the complete response must have arrived.
    public var timeout: TimeInterval

    package init(method: String, url: URL, headers: [String: String], body: Data?, timeout: TimeInterval) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeout = timeout
    }
}

/// A response of the collector, or of something between it and the device.
public struct TransportResponse: Sendable {
    /// The most bytes of a body that the library reads. They suffice for a response that rejects every event of a
    /// batch, and for the categories of an app.
    package static let maximumBodyBytes = 2 * 1024 * 1024

    /// The body is larger than that.
    package struct TooLarge: Error {
        package init() {}
    }

    /// The status code, such as 200.
    public var status: Int
    /// The header fields, with names in lower case.
    public var headers: [String: String]
    /// The complete body, decompressed; empty for a response without a body.
    public var body: Data

    /// Creates a response, for a transport of your own.
    ///
    /// - Parameter headers: The header fields, with names in lower case.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
