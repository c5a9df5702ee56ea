import Ingest

/// A request that was let in: whose it is, and where it comes from.
struct Admission: Sendable {
    let grant: KeyGrant
    let address: ClientAddress
}
