import Foundation
import Testing

@testable import Spool

/// A directory for the spools of one test, removed when the test ends.
final class SpoolDirectory: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/afterpush-spool-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var configuration: Spool.Configuration {
        var configuration = Spool.Configuration(directory: path)
        configuration.freeMargin = 0
        return configuration
    }

    /// The file of the single spool.
    var file: String { path + "/spool-0-0.sqlite" }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }

    func open(_ change: (inout Spool.Configuration) -> Void = { _ in }) async throws -> Spool {
        var configuration = configuration
        change(&configuration)
        return try await Spool.open(configuration, logger: SpoolSample.logger)
    }

    /// Opens the spool, runs the body, and closes the spool.
    func once<Value: Sendable>(_ body: (Spool) async throws -> Value) async throws -> Value {
        let spool = try await open()
        do {
            let value = try await body(spool)
            await spool.close()
            return value
        } catch {
            await spool.close()
            throw error
        }
    }
}
