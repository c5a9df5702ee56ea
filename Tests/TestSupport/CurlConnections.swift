import CCurl
import Foundation
import Synchronization

/// A request over HTTP, with all that libcurl has to know of it.
struct CurlRequest: Sendable {
    let method: String
    let url: String
    let headers: [String: String]
    let body: Data?
    /// The time in seconds after which the request fails if nothing is sent or received.
    let timeout: TimeInterval
}

/// The answer to a request, decompressed. Names of header fields are in lowercase.
struct CurlResponse: Sendable {
    fileprivate(set) var status = 0
    fileprivate(set) var headers: [String: String] = [:]
    fileprivate(set) var body = Data()
}

/// Requests over a limited number of connections, which are kept open for further requests.
///
/// It uses libcurl, which reads an answer that comes before the body was sent. Foundation's URLSession does so, too, but on
/// Linux it ends the process now and then, in the sources of events with which it watches libcurl's sockets.
final class CurlConnections: Sendable {
    private struct State {
        var idle: [CurlConnection]
        var waiting: [CheckedContinuation<CurlConnection, Never>] = []
    }

    private let state: Mutex<State>

    /// Creates connections, which open with their first request.
    ///
    /// - Parameter count: The most requests at a time; further ones wait.
    init(count: Int) {
        state = Mutex(State(idle: (0..<count).map { _ in CurlConnection() }))
    }

    func send(_ request: CurlRequest) async throws -> CurlResponse {
        let connection = await withCheckedContinuation { continuation in
            // The last used one, which is most likely open.
            let idle = state.withLock { state in
                if let last = state.idle.popLast() { return last as CurlConnection? }
                state.waiting.append(continuation)
                return nil
            }
            if let idle { continuation.resume(returning: idle) }
        }
        defer {
            let next = state.withLock { state in
                if state.waiting.isEmpty {
                    state.idle.append(connection)
                    return nil as CheckedContinuation<CurlConnection, Never>?
                }
                return state.waiting.removeFirst()
            }
            next?.resume(returning: connection)
        }
        return try await connection.perform(request)
    }
}

/// A connection, used by one request at a time.
// Safe: the pointer is only used on the serial queue, and freed once nothing else refers to it.
private final class CurlConnection: @unchecked Sendable {
    /// Serial, so that it has a thread of its own: a request blocks one until it ends.
    private let queue = DispatchQueue(label: "afterpush.tests.connection")
    private var connections: UnsafeMutableRawPointer?

    private static let isLoaded = ccurl_load()

    deinit {
        disconnect()
    }

    private func disconnect() {
        if let connections { ccurl_free_connections(connections) }
        connections = nil
    }

    func perform(_ request: CurlRequest) async throws -> CurlResponse {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.perform(request) }) }
        }
    }

    private func perform(_ request: CurlRequest) throws -> CurlResponse {
        guard Self.isLoaded else { throw Program.Failed(message: "libcurl can't be loaded") }
        connections = connections ?? ccurl_new_connections()
        guard let connections, let handle = ccurl_new() else { throw Program.Failed(message: "no memory for libcurl") }
        defer { ccurl_free(handle) }
        var headers: UnsafeMutablePointer<curl_slist>?
        defer { ccurl_free_list(headers) }
        // `Expect` would cost a round trip.
        for line in request.headers.map({ "\($0): \($1)" }) + ["Expect:"] { headers = ccurl_append(headers, line) }
        ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, headers)
        ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1)
        ccurl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(request.timeout * 1_000))
        ccurl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
        ccurl_set_number(handle, CURLOPT_LOW_SPEED_TIME, Int(request.timeout.rounded(.up)))
        let reader = CurlReader()
        reader.attach(to: handle)
        let code = withExtendedLifetime(reader) {
            (request.body ?? Data()).withUnsafeBytes { body in
                // All compressions that libcurl knows.
                "".withCString { _ = ccurl_set_pointer(handle, CURLOPT_ACCEPT_ENCODING, $0) }
                request.url.withCString { _ = ccurl_set_pointer(handle, CURLOPT_URL, $0) }
                request.method.withCString { _ = ccurl_set_pointer(handle, CURLOPT_CUSTOMREQUEST, $0) }
                if request.body != nil {
                    ccurl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
                    // Without a pointer, libcurl would ask for the body.
                    if let start = body.baseAddress {
                        ccurl_set_pointer(handle, CURLOPT_POSTFIELDS, start)
                    } else {
                        ccurl_set_number(handle, CURLOPT_POST, 1)
                    }
                }
                return ccurl_perform(connections, handle)
            }
        }
        guard code == CURLE_OK else {
            // The state of the connection is unknown.
            disconnect()
            throw Program.Failed(message: "\(request.method) \(request.url): \(String(cString: ccurl_error(code)))")
        }
        ccurl_get_status(handle, &reader.response.status)
        return reader.response
    }
}

/// Collects a response.
private final class CurlReader {
    var response = CurlResponse()

    /// Makes a handle pass the response to this object, which must outlive the request.
    func attach(to handle: UnsafeMutableRawPointer) {
        let this = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_pointer(handle, CURLOPT_HEADERDATA, this)
        ccurl_set_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, this in
            CurlReader.from(this)?.readHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
            return size * count
        }
        ccurl_set_pointer(handle, CURLOPT_WRITEDATA, this)
        ccurl_set_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, this in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: size * count)
            CurlReader.from(this)?.response.body.append(contentsOf: bytes)
            return size * count
        }
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> CurlReader? {
        pointer.map { Unmanaged<CurlReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private func readHeader(_ bytes: UnsafeRawBufferPointer) {
        let line = String(decoding: bytes, as: UTF8.self)
        // A status line begins a response, after one or more that were informational.
        if line.hasPrefix("HTTP/") { response.headers = [:] }
        // Trailers are not header fields.
        guard response.body.isEmpty, let colon = line.firstIndex(of: ":") else { return }
        let name = line[..<colon].lowercased()
        let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
        response.headers[name] = response.headers[name].map { "\($0), \(value)" } ?? value
    }
}
