import HTTPTransport
import Ingest

/// A request that was let in: whose it is, and where it comes from.
struct AuthenticatedRequest: Sendable {
    let grant: APIKeyGrant
    let address: ClientAddress
}
