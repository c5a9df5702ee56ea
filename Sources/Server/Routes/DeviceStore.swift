package import Ingest

/// What can be done with all that is stored of one device.
package struct DeviceStore: Sendable {
    /// The next piece of a JSON text; nil at its end.
    package typealias Next = @Sendable () async throws -> String?
    package typealias Erase = @Sendable (_ device: String, _ appID: Int32) async throws -> ErasureJob
    package typealias Find = @Sendable (_ device: String, _ appID: Int32) async throws -> ErasureJob?
    package typealias Export = @Sendable (_ device: String, _ appID: Int32) async throws -> Next

    /// Suppresses the device and has what is stored of it erased; returns once that outlives this program.
    let erase: Erase
    /// Returns the progress of a device's erasure; nil if none was requested.
    let erasure: Find
    /// All that is known of the device, as one JSON object.
    let export: Export

    package init(erase: @escaping Erase, erasure: @escaping Find, export: @escaping Export) {
        self.erase = erase
        self.erasure = erasure
        self.export = export
    }
}
