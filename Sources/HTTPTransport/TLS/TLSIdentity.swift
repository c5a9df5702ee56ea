package import Foundation
import NIOSSL
import Synchronization

/// The server's TLS certificate and key, which can be replaced while it runs.
package final class TLSIdentity: Sendable {
    /// An error that says why a certificate or key can't be used.
    package struct Invalid: Error, CustomStringConvertible {
        package let description: String
    }

    private struct Loaded {
        let context: NIOSSLContext
        /// When the first certificate of the chain that expires does so.
        let end: Date
    }

    private let certificate: String
    private let key: String
    private let current: Mutex<Loaded>

    /// Reads both files.
    ///
    /// - Parameters:
    ///   - certificate: path of a PEM file with the certificate chain, the server's own certificate first.
    ///   - key: path of a PEM file with its private key.
    package init(certificate: String, key: String) throws(Invalid) {
        self.certificate = certificate
        self.key = key
        current = Mutex(try Self.load(certificate, key))
    }

    /// The TLS context of new connections.
    var context: NIOSSLContext { current.withLock { $0.context } }

    /// When the first certificate of the chain expires, so that clients begin to refuse it.
    package var end: Date { current.withLock { $0.end } }

    /// Reads the files again, for new connections. If they can't be used, the previous ones remain in use.
    package func reload() throws(Invalid) {
        let loaded = try Self.load(certificate, key)
        current.withLock { $0 = loaded }
    }

    /// The cipher suites of TLS 1.2: only those with forward secrecy and authenticated encryption. TLS 1.3 has no others.
    private static let cipherSuites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    /// Returns why a file was refused: the system's reason, or else that it is not in the form.
    private static func problem(_ path: String, _ form: String) -> String {
        access(path, R_OK) == 0 ? "can't be read \(form)" : "can't be read: \(String(cString: strerror(errno)))"
    }

    private static func load(_ certificate: String, _ key: String) throws(Invalid) -> Loaded {
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(certificate)
        } catch {
            throw Invalid(description: "the TLS certificate \(certificate) \(Self.problem(certificate, "as PEM"))")
        }
        guard let end = chain.map(\.notValidAfter).min() else {
            throw Invalid(description: "no certificate in \(certificate)")
        }
        let privateKey: NIOSSLPrivateKey
        do {
            privateKey = try NIOSSLPrivateKey(file: key, format: .pem)
        } catch {
            throw Invalid(description: "the TLS key \(key) \(Self.problem(key, "as PEM without a passphrase"))")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = cipherSuites
        configuration.applicationProtocols = ["h2", "http/1.1"]
        do {
            return Loaded(
                context: try NIOSSLContext(configuration: configuration),
                end: Date(timeIntervalSince1970: TimeInterval(end)))
        } catch {
            throw Invalid(description: "the TLS key \(key) does not belong to the certificate \(certificate)")
        }
    }
}
