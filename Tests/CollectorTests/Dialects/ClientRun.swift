import Foundation
import TestSupport
import Testing

/// A run of another system's client, from its package, against a collector.
struct ClientRun: Decodable {
    let requests: Int
    let statuses: [Int]
    /// The seconds between one request and the next.
    let gaps: [Double]
    let finished: Bool
    let errors: [String]

    /// The interpreter in the virtual environment with the clients' packages.
    private static let python = Program.root.appending(path: ".build/clients/bin/python")

    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: python.path) }

    /// Why tests of clients are skipped.
    static let missing: Comment =
        "SKIPPED: the clients of other systems are not installed; `make test-clients` installs them"

    /// Runs a program that uses one of the clients.
    static func run(code: String) async throws {
        let output = try await Program.run(["-c", code], program: python, environment: ["NO_PROXY": "127.0.0.1"])
        guard output.status == 0 else { throw Program.Failed(message: "\(code)\n\(output.error)") }
    }

    /// Runs a client; it posts a response to `n-NAME` of `d-NAME`, and events that mean nothing here.
    static func run(
        _ client: String, _ url: String, key: String, scenario: String = "plain", name: String
    ) async throws -> ClientRun {
        let script = Program.root.appending(path: "Tests/CollectorTests/Fixtures/clients.py").path
        let output = try await Program.run(
            [script, client, url, key, scenario, name], program: python, environment: ["NO_PROXY": "127.0.0.1"])
        guard let line = output.output.split(separator: "\n").last else {
            throw Program.Failed(message: "\(client) printed nothing: \(output.error)")
        }
        return try JSONDecoder().decode(ClientRun.self, from: Data(line.utf8))
    }
}
