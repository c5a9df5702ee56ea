import ArgumentParser
import HTTPTransport
import Server

/// The settings of the HTTP server.
///
/// | key | environment | property |
/// | --- | --- | --- |
/// | `http.*`, except the two below | `AFTERPUSH_HTTP_*` | `limits`, see `HTTPLimits` below |
/// | `rate.key.address` | `AFTERPUSH_RATE_KEY_ADDRESS` | `rates.perKeyAndAddress` |
/// | `rate.key.total` | `AFTERPUSH_RATE_KEY_TOTAL` | `rates.perKey` |
/// | `rate.burst` | `AFTERPUSH_RATE_BURST` | `rates.burst` |
/// | `rate.failures` | `AFTERPUSH_RATE_FAILURES` | `rates.failuresPerAddress` |
/// | `limits.exempt` | `AFTERPUSH_LIMITS_EXEMPT` | `exempt` |
/// | `http.proxies` | `AFTERPUSH_HTTP_PROXIES` | `proxies` |
/// | `http.hosts` | `AFTERPUSH_HTTP_HOSTS` | `hosts` |
/// | `tls.certificate` | `AFTERPUSH_TLS_CERTIFICATE` | `identity` |
/// | `tls.key` | `AFTERPUSH_TLS_KEY` | `identity` |
/// | `cors.origins` | `AFTERPUSH_CORS_ORIGINS` | `origins` |
extension CollectorServer.Configuration {
    init(_ source: SettingsSource, host: String, port: Int) throws {
        self.init()
        self.host = host
        self.port = port
        limits = try HTTPLimits(source)
        rates.perKeyAndAddress = try source.count("rate.key.address") ?? rates.perKeyAndAddress
        rates.perKey = try source.count("rate.key.total") ?? rates.perKey
        rates.burst = try source.count("rate.burst", atLeast: 1) ?? rates.burst
        rates.failuresPerAddress = try source.count("rate.failures") ?? rates.failuresPerAddress
        proxies = try source.addresses("http.proxies") ?? proxies
        hosts = try source["http.hosts"].map(Self.hosts)
        origins = source["cors.origins"].map(AllowedOrigins.init) ?? origins
        identity = try Self.identity(certificate: source["tls.certificate"], key: source["tls.key"])
        exempt = try source.addresses("limits.exempt") ?? exempt
    }

    private static func hosts(_ text: String) throws -> AllowedHosts {
        do {
            return try AllowedHosts(text)
        } catch {
            throw ValidationError(
                "http.hosts must be a list of host names and addresses without ports, such as push.example.com, ::1")
        }
    }

    private static func identity(certificate: String?, key: String?) throws -> TLSIdentity? {
        switch (certificate, key) {
        case (nil, nil): nil
        case (let certificate?, let key?): try TLSIdentity(certificate: certificate, key: key)
        default: throw ValidationError("tls.certificate and tls.key must be set together")
        }
    }
}

extension SettingsSource {
    fileprivate func addresses(_ key: String) throws -> AddressList? {
        guard let text = self[key] else { return nil }
        do {
            return try AddressList(text)
        } catch {
            throw ValidationError("\(key) must be a list of addresses and networks, such as 10.0.0.0/8, ::1")
        }
    }
}

/// The settings of the connections' limits.
///
/// | key | environment | property |
/// | --- | --- | --- |
/// | `http.header.timeout` | `AFTERPUSH_HTTP_HEADER_TIMEOUT` | `headerTimeout` |
/// | `http.header.bytes` | `AFTERPUSH_HTTP_HEADER_BYTES` | `headerBytes` |
/// | `http.body.timeout` | `AFTERPUSH_HTTP_BODY_TIMEOUT` | `bodyTimeout` |
/// | `http.body.rate` | `AFTERPUSH_HTTP_BODY_RATE` | `bodyRate` |
/// | `http.body.grace` | `AFTERPUSH_HTTP_BODY_GRACE` | `bodyGrace` |
/// | `http.body.bytes` | `AFTERPUSH_HTTP_BODY_BYTES` | `bodyBytes` |
/// | `http.body.memory` | `AFTERPUSH_HTTP_BODY_MEMORY` | `bodyMemory` |
/// | `http.idle.timeout` | `AFTERPUSH_HTTP_IDLE_TIMEOUT` | `idleTimeout` |
/// | `http.write.timeout` | `AFTERPUSH_HTTP_WRITE_TIMEOUT` | `writeTimeout` |
/// | `http.write.rate`, `.memory` | `AFTERPUSH_HTTP_WRITE_RATE`... | `writeRate`, `writeMemory` |
/// | `http.linger.timeout` | `AFTERPUSH_HTTP_LINGER_TIMEOUT` | `lingerTimeout` |
/// | `http.connections.total` | `AFTERPUSH_HTTP_CONNECTIONS_TOTAL` | `connections` |
/// | `http.connections.address` | `AFTERPUSH_HTTP_CONNECTIONS_ADDRESS` | `connectionsPerAddress` |
extension HTTPLimits {
    /// Returns the defaults, overridden by the settings.
    init(_ source: SettingsSource) throws {
        self.init()
        headerTimeout = try source.seconds("http.header.timeout") ?? headerTimeout
        headerBytes = try source.count("http.header.bytes", atLeast: 1_024) ?? headerBytes
        bodyTimeout = try source.seconds("http.body.timeout") ?? bodyTimeout
        bodyRate = try source.count("http.body.rate") ?? bodyRate
        bodyGrace = try source.seconds("http.body.grace") ?? bodyGrace
        bodyBytes = try source.count("http.body.bytes", atLeast: 1) ?? bodyBytes
        bodyMemory = try source.count("http.body.memory", atLeast: 1) ?? bodyMemory
        idleTimeout = try source.seconds("http.idle.timeout") ?? idleTimeout
        writeTimeout = try source.seconds("http.write.timeout") ?? writeTimeout
        writeRate = try source.count("http.write.rate") ?? writeRate
        writeMemory = try source.count("http.write.memory", atLeast: 1) ?? writeMemory
        lingerTimeout = try source.seconds("http.linger.timeout") ?? lingerTimeout
        connections = try source.count("http.connections.total", atLeast: 1) ?? connections
        connectionsPerAddress = try source.count("http.connections.address") ?? connectionsPerAddress
    }
}
