/// Persists what apps set for the requests of other systems' clients.
package protocol DialectConfigurationStore: Sendable {
    /// Replaces what an app has set.
    func put(_ configuration: DialectConfiguration, app: Int32) async throws
    /// Returns what an app has set, or the defaults.
    func dialectConfiguration(app: Int32) async throws -> DialectConfiguration
}
