#if os(Linux)
    import CCurl
    import Foundation

    /// A transport that uses libcurl, for Linux.
    ///
    /// URLSession uses libcurl as well there, but hostile servers can make it end the process, with a `Content-Length`
    /// of 2^63 - 1, trailers, or a malformed `Location`, and it has no limits for header fields and decompressed
    /// bodies. This transport reads at most 64 KiB of header fields and 2 MiB of a body, and nothing that is
    /// compressed.
    final class CurlTransport: EventTransport {
        /// An error of libcurl.
        struct Failure: Error, CustomStringConvertible {
            let code: CURLcode

            var description: String { String(cString: ccurl_error(code)) }
        }

        struct InvalidRequest: Error {}

        /// libcurl is missing, or memory is exhausted.
        struct NotLoaded: Error, CustomStringConvertible {
            var description: String { "libcurl.so.4 can't be loaded; Debian's package is libcurl4" }
        }

        private let connections: Int
        /// The connections that no request uses, the last used one at the end.
        private let idle = Locked<[CurlConnection]>([])

        /// Creates a transport.
        ///
        /// - Parameter connections: The number of connections to keep for further requests.
        init(connections: Int = 1) {
            self.connections = connections
        }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let connection = idle.withLock { $0.popLast() } ?? CurlConnection()
            return try await withCheckedThrowingContinuation { continuation in
                connection.perform(request) { result in
                    self.idle.withLock { if $0.count < self.connections { $0.append(connection) } }
                    continuation.resume(with: result)
                }
            }
        }
    }

    /// A connection, used by one request at a time.
    // Safe: the pointer is only used on the serial queue, and freed once nothing else refers to it.
    private final class CurlConnection: @unchecked Sendable {
        /// Serial, so that it has a thread of its own: a request blocks one until it ends.
        private let queue = DispatchQueue(label: "afterpush.transport", qos: .utility)
        private var connections: UnsafeMutableRawPointer?

        private static let isLoaded = ccurl_load()

        deinit {
            disconnect()
        }

        private func disconnect() {
            if let connections { ccurl_free_connections(connections) }
            connections = nil
        }

        func perform(
            _ request: TransportRequest,
            then body: @escaping @Sendable (Result<TransportResponse, any Error>) -> Void
        ) {
            queue.async {
                let result = Result { try self.perform(request) }
                // After an error, the state of the connection is unknown.
                if case .failure = result { self.disconnect() }
                body(result)
            }
        }

        private func perform(_ request: TransportRequest) throws -> TransportResponse {
            guard Self.isLoaded else { throw CurlTransport.NotLoaded() }
            connections = connections ?? ccurl_new_connections()
            guard let connections, let handle = CurlHandle() else { throw CurlTransport.NotLoaded() }
            return try handle.perform(request, over: connections)
        }
    }

    /// A handle of libcurl, for one request.
    private final class CurlHandle {
        private let handle: UnsafeMutableRawPointer

        /// Creates a handle. Returns nil if memory is exhausted.
        init?() {
            guard let handle = ccurl_new() else { return nil }
            self.handle = handle
        }

        deinit {
            ccurl_free(handle)
        }

        func perform(_ request: TransportRequest, over connections: UnsafeMutableRawPointer) throws -> TransportResponse
        {
            let reader = ResponseReader()
            let headers = try HeaderList(request.headers)
            let body = request.body ?? Data()
            let milliseconds = Int(min(max(1, request.timeout * 1_000), 86_400_000))
            let code = body.withUnsafeBytes { body in
                request.method.withCString { method in
                    request.url.absoluteString.withCString { url in
                        set(CURLOPT_URL, url)
                        set(CURLOPT_HTTPHEADER, headers.list)
                        if request.body == nil, request.method == "GET" {
                            set(CURLOPT_HTTPGET, 1)
                        } else {
                            set(CURLOPT_CUSTOMREQUEST, method)
                            ccurl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
                            // Without a pointer, libcurl would ask for the body.
                            if let start = body.baseAddress {
                                set(CURLOPT_POSTFIELDS, start)
                            } else {
                                set(CURLOPT_POST, 1)
                            }
                        }
                        set(CURLOPT_NOSIGNAL, 1)
                        set(CURLOPT_TIMEOUT_MS, milliseconds)
                        setProtocols()
                        reader.attach(to: handle)
                        // libcurl keeps pointers to both.
                        return withExtendedLifetime((headers, reader)) { ccurl_perform(connections, handle) }
                    }
                }
            }
            if reader.isTooLarge { throw TransportResponse.TooLarge() }
            guard code == CURLE_OK else { throw CurlTransport.Failure(code: code) }
            var status = 0
            ccurl_get_status(handle, &status)
            return TransportResponse(status: status, headers: reader.headers, body: reader.body)
        }

        /// Allows HTTP and HTTPS alone. The option has another name since 7.85, but older versions are in use.
        private func setProtocols() {
            let (http, https) = (1, 2)
            ccurl_set_number(handle, CURLoption(rawValue: 181), http | https)
        }

        private func set(_ option: CURLoption, _ value: Int) {
            ccurl_set_number(handle, option, value)
        }

        private func set(_ option: CURLoption, _ value: UnsafeRawPointer?) {
            ccurl_set_pointer(handle, option, value)
        }
    }

    /// The header fields of a request, as libcurl takes them.
    private final class HeaderList {
        private(set) var list: UnsafeMutablePointer<curl_slist>?

        init(_ headers: [String: String]) throws {
            // Nothing is decompressed, so nothing compressed is asked for. `Expect` would cost a round trip.
            let lines = headers.map { "\($0): \($1)" } + ["Accept-Encoding: identity", "Expect:"]
            for line in lines {
                guard line.utf8.allSatisfy({ $0 >= 0x20 }), let longer = ccurl_append(list, line) else {
                    throw CurlTransport.InvalidRequest()
                }
                list = longer
            }
        }

        deinit {
            ccurl_free_list(list)
        }
    }

    /// Collects a response up to its limits.
    private final class ResponseReader {
        /// The most bytes of header fields, those of informational responses and trailers included.
        private static let maximumHeaderBytes = 64 * 1024

        private(set) var headers: [String: String] = [:]
        private(set) var body = Data()
        private(set) var isTooLarge = false
        private var headerBytes = 0

        /// Makes a handle pass the response to this object, which must outlive the request.
        func attach(to handle: UnsafeMutableRawPointer) {
            let this = Unmanaged.passUnretained(self).toOpaque()
            ccurl_set_pointer(handle, CURLOPT_HEADERDATA, this)
            ccurl_set_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, this in
                ResponseReader.from(this)?.read(bytes, size * count) { $0.readHeader($1) } ?? 0
            }
            ccurl_set_pointer(handle, CURLOPT_WRITEDATA, this)
            ccurl_set_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, this in
                ResponseReader.from(this)?.read(bytes, size * count) { $0.readBody($1) } ?? 0
            }
        }

        private static func from(_ pointer: UnsafeMutableRawPointer?) -> ResponseReader? {
            pointer.map { Unmanaged<ResponseReader>.fromOpaque($0).takeUnretainedValue() }
        }

        /// Returns the number of bytes read. Any other number than `count` makes libcurl end the request.
        private func read(
            _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int,
            _ body: (ResponseReader, UnsafeRawBufferPointer) -> Bool
        ) -> Int {
            isTooLarge = !body(self, UnsafeRawBufferPointer(start: bytes, count: count))
            return isTooLarge ? -1 : count
        }

        private func readHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
            headerBytes += bytes.count
            guard headerBytes <= Self.maximumHeaderBytes else { return false }
            let line = String(decoding: bytes, as: UTF8.self)
            // A status line begins a response, after one or more that were informational.
            if line.hasPrefix("HTTP/") { headers = [:] }
            // Trailers are not header fields.
            guard body.isEmpty, let colon = line.firstIndex(of: ":") else { return true }
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
            headers[name] = headers[name].map { "\($0), \(value)" } ?? value
            return true
        }

        private func readBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
            guard body.count + bytes.count <= TransportResponse.maximumBodyBytes else { return false }
            body.append(contentsOf: bytes)
            return true
        }
    }
#endif
