import CCurl
import Foundation
package import HTTPTransport
import Timing

/// How alerts may be delivered.
package struct AlertSenderConfiguration: Sendable {
    /// Addresses that webhooks may go to although they are not public.
    package var allowed = AddressList.none
    /// `smtp://HOST:PORT` or `smtps://HOST:PORT`, or nil if no mail can be sent.
    package var mailServer: String?
    package var mailSender = "afterpush@localhost"
    package var mailUser: String?
    package var mailPassword: String?
    /// A file with the certificates that the mail server's must be signed by, in PEM, or nil for those of the system.
    package var mailAuthorities: String?
    package var timeout: Duration = .seconds(10)

    package init() {}
}

/// Delivers messages over HTTP and SMTP with libcurl, which is loaded with the first one.
package struct AlertSender: Sendable {
    private let configuration: AlertSenderConfiguration

    package init(_ configuration: AlertSenderConfiguration) {
        self.configuration = configuration
    }

    /// Makes one attempt. It follows no redirect, uses no proxy, and ends after the time limit.
    package func send(_ message: OutgoingMessage, to destination: AlertDestination) async -> DeliveryResult {
        let configuration = configuration
        return await withCheckedContinuation { continuation in
            // A queue of its own, because the attempt blocks a thread until it ends.
            DispatchQueue(label: "afterpush.alerts", qos: .utility).async {
                continuation.resume(returning: CurlAttempt.perform(message, destination, configuration))
            }
        }
    }

    /// Makes one attempt, and reports it as failed when it has taken longer than a limit. libcurl exceeds its own limit while
    /// it waits for name servers that don't respond.
    func send(
        _ message: OutgoingMessage, to destination: AlertDestination, within limit: Duration
    ) async throws -> DeliveryResult {
        do {
            return try await withTimeout(limit) { await self.send(message, to: destination) }
        } catch let error as TimeoutError {
            return .failed(error.description)
        }
    }
}

/// An attempt with a handle of libcurl.
private final class CurlAttempt {
    private static let isLoaded = ccurl_load()

    private let handle: UnsafeMutableRawPointer
    private let allowed: AddressList
    /// Whether every address must be on the list of allowed ones, because the request is not encrypted.
    private let needsAllowed: Bool
    private var refused = false
    private var responseBytes = 0
    private var upload: [UInt8] = []
    private var uploaded = 0
    private var lists: [UnsafeMutablePointer<curl_slist>?] = []

    private init?(_ configuration: AlertSenderConfiguration, _ destination: AlertDestination) {
        guard let handle = ccurl_new() else { return nil }
        self.handle = handle
        allowed = configuration.allowed
        needsAllowed = destination.isPlainHTTP
    }

    deinit {
        ccurl_free(handle)
        for list in lists { ccurl_free_list(list) }
    }

    static func perform(
        _ message: OutgoingMessage, _ destination: AlertDestination, _ configuration: AlertSenderConfiguration
    ) -> DeliveryResult {
        guard isLoaded, let attempt = CurlAttempt(configuration, destination) else {
            return .failed("libcurl.so.4 can't be loaded; Debian's package is libcurl4")
        }
        attempt.set(CURLOPT_NOSIGNAL, 1)
        attempt.set(CURLOPT_TIMEOUT_MS, Int(configuration.timeout / .milliseconds(1)))
        return destination.kind == .email
            ? attempt.mail(message, destination.target, configuration) : attempt.post(message, destination)
    }

    private func post(_ message: OutgoingMessage, _ destination: AlertDestination) -> DeliveryResult {
        var headers = ["Content-Type: application/json", "User-Agent: Afterpush", "Expect:"]
        if destination.kind == .webhook {
            headers += [
                "Afterpush-Id: \(message.id.uuidString.lowercased())",
                "Afterpush-Signature: \(message.signature(at: Int64(Date().timeIntervalSince1970)))",
            ]
        }
        guard let list = list(headers) else { return .failed("memory is exhausted") }
        // HTTP and HTTPS alone. The option has another name since 7.85, but older versions are in use.
        ccurl_set_number(handle, CURLoption(rawValue: 181), 1 | 2)
        set(CURLOPT_FOLLOWLOCATION, 0)
        let this = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, this)
        ccurl_set_socket_callback(handle) { this, _, address in CurlAttempt.from(this)?.open(address) ?? -1 }
        ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, list)
        let body = Array(message.body.utf8)
        let code = body.withUnsafeBytes { body in
            ccurl_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
            ccurl_set_pointer(handle, CURLOPT_POSTFIELDS, body.baseAddress)
            return perform(url: destination.target)
        }
        var status = 0
        ccurl_get_status(handle, &status)
        if refused { return .failed("the address is not public, and the setting alerts.allow doesn't list it") }
        // A response that is too long, or breaks off, has answered the request nevertheless.
        switch status {
        case 200..<300: return .delivered
        case 410: return .gone
        case 300..<400: return .failed("it answered \(status), and redirects are not followed")
        case 400...: return .failed("it answered \(status)")
        default: return .failed("no response: \(String(cString: ccurl_error(code)))")
        }
    }

    private func mail(
        _ message: OutgoingMessage, _ recipient: String, _ configuration: AlertSenderConfiguration
    ) -> DeliveryResult {
        guard let server = configuration.mailServer else {
            return .failed("no mail server is configured: the setting alerts.smtp.url")
        }
        guard let recipients = list([recipient]) else { return .failed("memory is exhausted") }
        // SMTP and SMTPS alone.
        ccurl_set_number(handle, CURLoption(rawValue: 181), 1 << 16 | 1 << 17)
        upload = message.mail(from: configuration.mailSender, to: recipient, at: Date())
        set(CURLOPT_UPLOAD, 1)
        ccurl_set_pointer(handle, CURLOPT_MAIL_RCPT, recipients)
        let this = Unmanaged.passUnretained(self).toOpaque()
        ccurl_set_pointer(handle, CURLOPT_READDATA, this)
        ccurl_set_callback(handle, CURLOPT_READFUNCTION) { bytes, size, count, this in
            CurlAttempt.from(this)?.read(into: bytes, size * count) ?? 0
        }
        setText(CURLOPT_MAIL_FROM, configuration.mailSender)
        if let authorities = configuration.mailAuthorities {
            setText(CURLOPT_CAINFO, authorities)
            ccurl_set_pointer(handle, CURLOPT_CAPATH, nil)
        }
        if let user = configuration.mailUser {
            setText(CURLOPT_USERNAME, user)
            setText(CURLOPT_PASSWORD, configuration.mailPassword ?? "")
        }
        if configuration.mailUser != nil || configuration.mailAuthorities != nil {
            // CURLUSESSL_ALL: neither a password nor the mail is sent without TLS. Otherwise whoever is in between could
            // remove the offer of STARTTLS.
            set(CURLOPT_USE_SSL, 3)
        } else if server.lowercased().hasPrefix("smtp://") {
            // CURLUSESSL_TRY: the mail is encrypted if the server offers that. It was readable otherwise, so any
            // certificate will do.
            set(CURLOPT_USE_SSL, 1)
            set(CURLOPT_SSL_VERIFYPEER, 0)
            set(CURLOPT_SSL_VERIFYHOST, 0)
        }
        let code = perform(url: server)
        return code == CURLE_OK ? .delivered : .failed("mail: \(String(cString: ccurl_error(code)))")
    }

    private func perform(url: String) -> CURLcode {
        let this = Unmanaged.passUnretained(self).toOpaque()
        // A proxy from the environment would hide the address of the destination.
        setText(CURLOPT_PROXY, "")
        setText(CURLOPT_URL, url)
        ccurl_set_pointer(handle, CURLOPT_HEADERDATA, this)
        ccurl_set_pointer(handle, CURLOPT_WRITEDATA, this)
        for function in [CURLOPT_HEADERFUNCTION, CURLOPT_WRITEFUNCTION] {
            ccurl_set_callback(handle, function) { _, size, count, this in
                CurlAttempt.from(this)?.discard(size * count) ?? 0
            }
        }
        guard let connections = ccurl_new_connections() else { return CURLE_OUT_OF_MEMORY }
        defer { ccurl_free_connections(connections) }
        return withExtendedLifetime(self) { ccurl_perform(connections, handle) }
    }

    /// Opens a socket to an address, unless the address is refused. Every connection of the request goes through here,
    /// so what a name resolves to makes no difference.
    private func open(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        guard let address else { return -1 }
        let target = withUnsafePointer(to: &address.pointee.addr) { ClientAddress(socketAddress: $0) }
        guard let target, allowed.contains(target) || !needsAllowed && !AddressList.notPublic.contains(target) else {
            refused = true
            return -1
        }
        let kind = address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, kind, address.pointee.protocol)
    }

    /// Counts what a response holds, headers included; a long one ends the request.
    private func discard(_ count: Int) -> Int {
        responseBytes += count
        return responseBytes <= 64 * 1024 ? count : 0
    }

    private func read(into bytes: UnsafeMutablePointer<CChar>?, _ space: Int) -> Int {
        guard let bytes else { return 0 }
        let count = min(space, upload.count - uploaded)
        upload.withUnsafeBytes { source in
            UnsafeMutableRawBufferPointer(start: bytes, count: count)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[uploaded..<uploaded + count]))
        }
        uploaded += count
        return count
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> CurlAttempt? {
        pointer.map { Unmanaged<CurlAttempt>.fromOpaque($0).takeUnretainedValue() }
    }

    private func list(_ lines: [String]) -> UnsafeMutablePointer<curl_slist>? {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = ccurl_append(list, line) else {
                ccurl_free_list(list)
                return nil
            }
            list = longer
        }
        lists.append(list)
        return list
    }

    private func set(_ option: CURLoption, _ value: Int) { ccurl_set_number(handle, option, value) }

    /// Sets a text, which libcurl copies.
    private func setText(_ option: CURLoption, _ text: String) {
        _ = text.withCString { ccurl_set_pointer(handle, option, $0) }
    }
}

extension ClientAddress {
    /// Takes an address of a socket, or returns nil if it is of neither IPv4 nor IPv6.
    fileprivate init?(socketAddress: UnsafePointer<sockaddr>) {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let start = UnsafeRawPointer(socketAddress)
        let family = Int32(socketAddress.pointee.sa_family)
        // The addresses are at these offsets of `sockaddr_in` and `sockaddr_in6`.
        let offset: Int
        switch family {
        case AF_INET: offset = 4
        case AF_INET6: offset = 8
        default: return nil
        }
        guard inet_ntop(family, start + offset, &text, socklen_t(text.count)) != nil else { return nil }
        self.init(text: String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
}

extension AddressList {
    /// Addresses that are not of the public Internet: private, loopback, link-local, shared, documentation, multicast and
    /// reserved ones, and those of IPv6 that stand for an address of IPv4.
    static let notPublic: AddressList = {
        let text = """
            0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.0.0.0/24, \
            192.0.2.0/24, 192.88.99.0/24, 192.168.0.0/16, 198.18.0.0/15, 198.51.100.0/24, 203.0.113.0/24, 224.0.0.0/4, \
            240.0.0.0/4, ::/96, ::ffff:0:0:0/96, 64:ff9b::/96, 64:ff9b:1::/48, 100::/64, 2001::/23, 2001:db8::/32, \
            2002::/16, 3fff::/20, 5f00::/16, fc00::/7, fe80::/10, fec0::/10, ff00::/8
            """
        guard let list = try? AddressList(text) else { return .everything }
        return list
    }()

    private static let everything = (try? AddressList("0.0.0.0/0, ::/0")) ?? .none
}
