import HTTPTransport
import Server

/// The settings of the connections' limits.
///
/// | key | environment | property |
/// | --- | --- | --- |
/// | `http.header.timeout`, `.bytes` | `AFTERPUSH_HTTP_HEADER_TIMEOUT`... | `headerTimeout`, `headerBytes` |
/// | `http.body.timeout`, `.rate`, `.grace`, `.bytes`, `.memory` | `AFTERPUSH_HTTP_BODY_TIMEOUT`... | `bodyTimeout`... |
/// | `http.idle.timeout` | `AFTERPUSH_HTTP_IDLE_TIMEOUT` | `idleTimeout` |
/// | `http.write.timeout` | `AFTERPUSH_HTTP_WRITE_TIMEOUT` | `writeTimeout` |
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
        lingerTimeout = try source.seconds("http.linger.timeout") ?? lingerTimeout
        connections = try source.count("http.connections.total", atLeast: 1) ?? connections
        connectionsPerAddress = try source.count("http.connections.address") ?? connectionsPerAddress
    }
}
