import Foundation
import TestSupport

/// A directory with a certificate and its key, which can be renewed.
struct TestCertificate {
    let directory = FileManager.default.temporaryDirectory.path + "/afterpush-tls-\(UUID().uuidString.prefix(8))"
    var path: String { directory + "/cert.pem" }
    var key: String { directory + "/key.pem" }
    /// The settings of a collector with the certificate.
    var environment: [String: String] { ["AFTERPUSH_TLS_CERTIFICATE": path, "AFTERPUSH_TLS_KEY": key] }

    /// Makes a key and a certificate for it.
    ///
    /// - Parameters:
    ///   - days: For how many days it is valid.
    ///   - algorithm: The key's algorithm, as `openssl req -newkey` takes it.
    ///   - option: The key's parameter, as `-pkeyopt` takes it.
    func make(
        serial: Int = 1, days: Int = 2, algorithm: String = "ec", _ option: String = "ec_paramgen_curve:prime256v1"
    ) async throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let output = try await Program.run(
            [
                "req", "-x509", "-newkey", algorithm, "-pkeyopt", option, "-nodes", "-subj",
                "/CN=localhost", "-days", String(days), "-set_serial", String(serial), "-keyout", key, "-out", path,
            ], program: URL(filePath: "/usr/bin/openssl"))
        guard output.status == 0 else { throw Program.Failed(message: output.error) }
    }

    func remove() {
        try? FileManager.default.removeItem(atPath: directory)
    }
}
