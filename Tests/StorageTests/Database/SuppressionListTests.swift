import Events
import Foundation
import Postgres
import Spool
import TestSupport
import Testing

@testable import Storage

@Suite struct SuppressionListTests {
    @Test func `a list beside the backups that is there later than the collector is read then`() async throws {
        let app = try await TestApp()
        _ = try await app.value("select afterpush.request_erasure(\(app.app.id), 'known')::text")
        let directory = NSTemporaryDirectory() + "erased-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let file = SuppressionFile(directory: directory, owner: "x")
        let worker = SuppressionListWorker(
            pool: app.database.requests, restoring: app.database.background, file: nil, backups: { [file] },
            logger: TestCluster.logger)
        try await worker.refresh()
        #expect(worker.current.count == 1)

        // The disk of the backups is mounted. A device in its list was erased after the backup that was restored.
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let key = DeviceKey(Array(repeating: 7, count: 32))
        try file.add([SuppressionFile.Entry(app: app.app.name, key: key, hash: key.hash(of: "forgotten"))])
        try await worker.refresh()
        #expect(worker.current.names("forgotten", app: app.app.id))
        #expect(try await app.value("select count(*) from afterpush.erasures where device_id is null") == "1")
        try await worker.refresh()
        #expect(try file.entries().count == 2, "the device that was erased before is in the list, too")
    }

    @Test func `several lists beside backups are read and completed, also if one of them is not there`() async throws {
        let app = try await TestApp()
        _ = try await app.value("select afterpush.request_erasure(\(app.app.id), 'known')::text")
        let base = NSTemporaryDirectory() + "erased-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: base) }
        let files = ["present", "former", "away"].map { SuppressionFile(directory: "\(base)/\($0)", owner: "x") }
        for name in ["present", "former"] {
            try FileManager.default.createDirectory(atPath: "\(base)/\(name)", withIntermediateDirectories: true)
        }
        let key = DeviceKey(Array(repeating: 7, count: 32))
        for (file, device) in zip(files, ["first", "second"]) {
            try file.add([SuppressionFile.Entry(app: app.app.name, key: key, hash: key.hash(of: device))])
        }
        let worker = SuppressionListWorker(
            pool: app.database.requests, restoring: app.database.background, file: nil, backups: { files },
            logger: TestCluster.logger)
        try await worker.refresh()
        for device in ["first", "second"] { #expect(worker.current.names(device, app: app.app.id)) }
        for file in files.dropLast() { #expect(try file.entries().count == 3) }
        // The disk of the third one is mounted.
        try FileManager.default.createDirectory(atPath: base + "/away", withIntermediateDirectories: true)
        try await worker.refresh()
        #expect(try files[2].entries().count == 3)
    }

    @Test func `a device that only the collector's own file lists is restored, even if the first attempt fails`()
        async throws
    {
        let app = try await TestApp()
        _ = try await app.value("select afterpush.request_erasure(\(app.app.id), 'known')::text")
        let directory = NSTemporaryDirectory() + "spool-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let file = SuppressionFile(directory: directory, owner: "x")
        let key = DeviceKey(Array(repeating: 7, count: 32))
        try file.add([SuppressionFile.Entry(app: app.app.name, key: key, hash: key.hash(of: "forgotten"))])
        let worker = SuppressionListWorker(
            pool: app.database.requests, restoring: app.database.background, file: file, logger: TestCluster.logger)
        let function = "afterpush.restore_suppression(text, bytea, bytea)"
        try await app.superuserValue("revoke execute on function \(function) from afterpush_worker")
        await #expect(throws: PostgresError.self) { try await worker.refresh() }
        try await app.superuserValue("grant execute on function \(function) to afterpush_worker")
        try await worker.refresh()
        #expect(worker.current.names("forgotten", app: app.app.id))
    }

    @Test func `all entries are added to another list, or an error says that they could not be`() async throws {
        let app = try await TestApp()
        for device in ["first", "second"] {
            _ = try await app.value("select afterpush.request_erasure(\(app.app.id), '\(device)')::text")
        }
        let directory = NSTemporaryDirectory() + "erased-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let file = SuppressionFile(directory: directory, owner: "x")
        let worker = SuppressionListWorker(
            pool: app.database.requests, restoring: app.database.background, file: nil, logger: TestCluster.logger)
        try await worker.refresh()
        await #expect(throws: SpoolError.self) { try await worker.write(to: file) }
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try await worker.write(to: file)
        #expect(try file.entries().count == 2)
        try file.requireWhole()
        // It is complete already.
        try await worker.write(to: file)
        #expect(try file.entries().count == 2)
    }
}
