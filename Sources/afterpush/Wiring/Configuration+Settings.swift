import ArgumentParser
import Server

/// | key | environment | property |
/// | --- | --- | --- |
/// | `http.*` | `AFTERPUSH_HTTP_*` | `limits`, see `HTTPLimits` |
/// | `limits.exempt` | `AFTERPUSH_LIMITS_EXEMPT` | `exempt` |
extension CollectorServer.Configuration {
    init(_ source: SettingsSource, host: String, port: Int) throws {
        self.init()
        self.host = host
        self.port = port
        limits = try HTTPLimits(source)
        limits.connections = min(limits.connections, DescriptorLimit.raise())
        exempt = try source.addresses("limits.exempt") ?? exempt
    }
}

extension SettingsSource {
    fileprivate func addresses(_ key: String) throws -> AddressList? {
        guard let text = self[key] else { return nil }
        do {
            return try AddressList(text)
        } catch {
            throw ValidationError("\(key) is a list of addresses and networks, as 10.0.0.0/8, ::1")
        }
    }
}
