#if os(Linux)
    import CCurl
    import Foundation

    /// A transport that uses libcurl, for Linux.
    ///
    /// URLSession uses libcurl as well there, but it isn't made for servers that mean harm: it ends the process on some
    /// answers, such as one with a `Content-Length` of 2^63 - 1, trailers, or a malformed `Location`, and it has no limits for
    /// header fields and decompressed bodies. This transport reads a few kilobytes of header fields, no more than 2 MiB of a
    /// body, and nothing that is compressed.
    final class CurlTransport: EventTransport {
        /// An error number of libcurl.
        struct Failure: Error, Equatable {
            let code: UInt32
        }
        struct InvalidRequest: Error {}

        /// Runs requests, each of which blocks a thread.
        private let queue = DispatchQueue(label: "afterpush.transport", qos: .utility, attributes: .concurrent)
        /// A handle that keeps its connection for the next request.
        private let idle = Locked<CurlHandle?>(nil)

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { continuation.resume(with: Result { try self.perform(request) }) }
            }
        }

        private func perform(_ request: TransportRequest) throws -> TransportResponse {
            let kept = idle.withLock { handle in
                defer { handle = nil }
                return handle
            }
            guard let handle = kept ?? CurlHandle() else { throw Failure(code: CURLE_FAILED_INIT.rawValue) }
            let response = try handle.perform(request)
            // After an error, the state of the connection is unknown.
            idle.withLock { $0 = handle }
            return response
        }
    }

    /// A handle of libcurl, used by one request at a time.
    // Safe, because a handle is owned by one request or is idle under a lock.
    private final class CurlHandle: @unchecked Sendable {
        private let handle: UnsafeMutableRawPointer

        /// Before 7.84, this function of libcurl must not run on two threads at the same time.
        private static let isInitialized = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

        /// Creates a handle. Returns nil if memory is exhausted.
        init?() {
            guard Self.isInitialized, let handle = curl_easy_init() else { return nil }
            self.handle = handle
        }

        deinit {
            curl_easy_cleanup(handle)
        }

        func perform(_ request: TransportRequest) throws -> TransportResponse {
            // The options of the last request are reset, its connection is kept.
            curl_easy_reset(handle)
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
                            curl_easy_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
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
                        return withExtendedLifetime((headers, reader)) { curl_easy_perform(handle) }
                    }
                }
            }
            if reader.isTooLarge { throw ResponseCollector.TooLarge() }
            guard code == CURLE_OK else { throw CurlTransport.Failure(code: code.rawValue) }
            var status = 0
            curl_easy_get_status(handle, &status)
            return TransportResponse(status: status, headers: reader.headers, body: reader.body)
        }

        /// Allows HTTP and HTTPS alone. The option has another name since 7.85, but older versions are in use.
        private func setProtocols() {
            let (http, https) = (1, 2)
            curl_easy_set_number(handle, CURLoption(rawValue: 181), http | https)
        }

        private func set(_ option: CURLoption, _ value: Int) {
            curl_easy_set_number(handle, option, value)
        }

        private func set(_ option: CURLoption, _ value: UnsafeRawPointer?) {
            curl_easy_set_pointer(handle, option, value)
        }
    }

    /// The header fields of a request, as libcurl takes them.
    private final class HeaderList {
        private(set) var list: UnsafeMutablePointer<curl_slist>?

        init(_ headers: [String: String]) throws {
            // Nothing is decompressed, so nothing compressed is asked for. `Expect` would cost a round trip.
            let lines = headers.map { "\($0): \($1)" } + ["Accept-Encoding: identity", "Expect:"]
            for line in lines {
                guard line.utf8.allSatisfy({ $0 >= 0x20 }), let longer = curl_slist_append(list, line) else {
                    throw CurlTransport.InvalidRequest()
                }
                list = longer
            }
        }

        deinit {
            curl_slist_free_all(list)
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
            curl_easy_set_pointer(handle, CURLOPT_HEADERDATA, this)
            curl_easy_set_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, this in
                ResponseReader.from(this)?.read(bytes, size * count) { $0.readHeader($1) } ?? 0
            }
            curl_easy_set_pointer(handle, CURLOPT_WRITEDATA, this)
            curl_easy_set_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, this in
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
            guard body.count + bytes.count <= ResponseCollector.maximumBytes else { return false }
            body.append(contentsOf: bytes)
            return true
        }
    }
#endif
