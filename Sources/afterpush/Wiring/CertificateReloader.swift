import HTTPTransport
import Logging
import Server
import ServiceLifecycle
import UnixSignals

/// Reloads the TLS certificate on SIGHUP. Open connections keep using the old one.
struct CertificateReloader: Service {
    let identity: TLSIdentity
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            do throws(TLSIdentity.Invalid) {
                try identity.reload()
                logger.notice("reloaded the TLS certificate")
            } catch {
                logger.error(
                    "could not reload the TLS certificate; the old one stays in use", metadata: ["error": "\(error)"])
            }
        }
    }
}
