import Foundation
import TestSupport

/// A pair of collectors with one database, shared by all seeds.
struct ModelCollectors: Sendable {
    static let shared = Task {
        let conninfo = try await TestCluster.database()
        return ModelCollectors(
            conninfo: conninfo,
            processes: [
                try await CollectorProcess(conninfo: conninfo), try await CollectorProcess(conninfo: conninfo),
            ])
    }

    let conninfo: String
    /// Keeps the processes alive.
    private let processes: [CollectorProcess]
    let clients: [TestClient]

    /// Collectors that the caller keeps alive.
    init(conninfo: String, urls: [String]) {
        self.conninfo = conninfo
        processes = []
        clients = urls.map { TestClient(url: $0) }
    }

    private init(conninfo: String, processes: [CollectorProcess]) {
        self.conninfo = conninfo
        self.processes = processes
        clients = processes.map { TestClient(url: $0.url) }
    }
}
