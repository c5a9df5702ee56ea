import Events
import Foundation
import Testing

@testable import Spool

/// Tests E36: however the file is damaged, intact entries are replayed, others are counted, and the program continues.
@Suite struct SpoolDamageTests {
    private let directory: SpoolDirectory
    private let names = (0..<40).map { "name-\($0)" }

    init() throws {
        directory = try SpoolDirectory()
    }

    /// The bytes of a spool with some drained and some waiting entries.
    private func sound() async throws -> [UInt8] {
        try await directory.once { spool in
            _ = try await spool.add(try SpoolSample.group(["gone-1", "gone-2"], filler: 5_000))
            for name in names { _ = try await spool.add(try SpoolSample.group([name], filler: 4_000)) }
            let gone = try await spool.oldest(2, events: 2)
            try await spool.remove(gone, outcomes: SpoolSample.stored(gone))
        }
        return Array(try Data(contentsOf: URL(filePath: directory.file)))
    }

    /// The names of the intact entries in the bytes, which must be replayed.
    private func whole(_ bytes: [UInt8]) throws -> Set<String> {
        var found: Set<String> = []
        for start in stride(from: 0, to: bytes.count, by: SpoolFile.pageSize) {
            let page = Array(bytes[start..<min(start + SpoolFile.pageSize, bytes.count)])
            SpoolSalvage.visit(page: page) { record in
                guard case .whole(let record, _) = record,
                    let entry = try? SpoolEntry(record.dropFirst(SpoolRecord.headLength))
                else { return }
                found.formUnion(entry.events.compactMap(\.notificationID))
            }
        }
        return found.intersection(names)
    }

    private func reopened(_ bytes: [UInt8]) async throws -> (names: [String], status: SpoolStatus) {
        for name in try directory.names { try FileManager.default.removeItem(atPath: directory.path + "/" + name) }
        try Data(bytes).write(to: URL(filePath: directory.file))
        return try await directory.once { spool in
            let names = SpoolSample.names(try await spool.oldest(1_000, events: 10_000))
            let status = await spool.status
            // The spool continues.
            #expect(await spool.canTake)
            _ = try await spool.add(try SpoolSample.group(["after"]))
            return (names, status)
        }
    }

    private func check(_ bytes: [UInt8], isWhole: Bool = true, what: String) async throws {
        let (names, status) = try await reopened(bytes)
        let whole = try whole(bytes)
        #expect(Set(names).isSuperset(of: whole), "\(what)")
        // Only existing entries, and possibly drained ones that a searched page still contains.
        #expect(Set(names).subtracting(self.names).allSatisfy { $0.hasPrefix("gone-") }, "\(what)")
        #expect(status.isUsable, "\(what)")
        let counts = status.counts
        #expect(counts.found + counts.spooled == status.events + counts.setAside, "\(what)")
        if isWhole {
            #expect(status.setAsideEntries >= self.names.count - whole.count, "\(what)")
        }
    }

    @Test func `E36: a flipped bit costs only the entry that contains it`() async throws {
        let bytes = try await sound()
        let found = try whole(bytes)
        #expect(found == Set(names))
        // Every byte of SQLite's headers, and a sample of the rest.
        let mark = SpoolRecord.mark
        var offsets = Set(0..<110)
        for page in stride(from: 0, to: bytes.count, by: SpoolFile.pageSize) {
            offsets.formUnion((page..<page + 40).map { $0 })
            offsets.formUnion(stride(from: page + 40, to: min(page + SpoolFile.pageSize, bytes.count), by: 2_111))
        }
        let firstMark = try #require(bytes.indices.first { bytes[$0...].starts(with: mark) })
        offsets.formUnion(firstMark - 10..<firstMark + 60)
        // Each check takes a moment; only the long run tests all of them.
        let isLong = ProcessInfo.processInfo.environment["AFTERPUSH_TEST_SEEDS"] != nil
        for (number, offset) in offsets.sorted().enumerated() where isLong || number.isMultiple(of: 6) {
            var damaged = bytes
            damaged[offset] ^= 1 << (offset % 8)
            try await check(damaged, what: "bit \(offset % 8) of byte \(offset)")
        }
    }

    @Test func `E36: a truncated file loses only the entries after its end`() async throws {
        let bytes = try await sound()
        var lengths = [1, 15, 16, 50, 99, 100, 101, 512, 4_096, 65_535, 65_536, 65_537]
        lengths += stride(from: 70_001, to: bytes.count, by: 19_973)
        lengths += [bytes.count - 1]
        for length in lengths where length < bytes.count {
            try await check(Array(bytes[..<length]), isWhole: false, what: "\(length) bytes")
        }
    }

    @Test func `E36: a file that is not a database is set aside, and a new one is created`() async throws {
        let (names, status) = try await reopened(Array("not a database at all, but rather long".utf8))
        #expect(names == [] && status.entries == 0)
        let files = try directory.names
        #expect(files.contains { $0.contains(".aside-") })
    }

    @Test func `a damaged file keeps no intact entry, so an erasure need not search it`() async throws {
        var bytes = try await sound()
        bytes.replaceSubrange(0..<50, with: repeatElement(0xAA, count: 50))
        let (replayed, status) = try await reopened(bytes)
        #expect(Set(replayed).isSuperset(of: names) && status.isUsable)
        let aside = try #require(try directory.names.first { $0.contains(".aside-") })
        let rest = Array(try Data(contentsOf: URL(filePath: directory.path + "/" + aside)))
        #expect(try rest.count == bytes.count && whole(rest).isEmpty)
        #expect(!String(decoding: rest, as: UTF8.self).contains("name-"))
    }

    @Test func `the journal of a damaged file is deleted after the search`() async throws {
        let bytes = try await sound()
        for name in try directory.names { try FileManager.default.removeItem(atPath: directory.path + "/" + name) }
        try Data(bytes).write(to: URL(filePath: directory.path + "/spool-0-0.damaged-0A"))
        try Data("copies of pages".utf8).write(to: URL(filePath: directory.path + "/spool-0-0.damaged-0A-journal"))
        try await directory.once { spool in
            let found = Set(SpoolSample.names(try await spool.oldest(1_000, events: 10_000)))
            #expect(found.isSuperset(of: names))
        }
        let left = try directory.names
        #expect(left.contains { $0.contains(".aside-") } && !left.contains { $0.contains("0A-journal") }, "\(left)")
    }

    @Test func `E36: an interrupted search is resumed`() async throws {
        let bytes = try await sound()
        for name in try directory.names { try FileManager.default.removeItem(atPath: directory.path + "/" + name) }
        let damaged = directory.path + "/spool-0-0.damaged-0A"
        try Data(bytes).write(to: URL(filePath: damaged))
        try await directory.once { spool in
            let found = Set(SpoolSample.names(try await spool.oldest(1_000, events: 10_000)))
            #expect(found.isSuperset(of: self.names))
        }
        #expect(!FileManager.default.fileExists(atPath: damaged))
    }

    @Test func `E36: damage at run time starts a search`() async throws {
        _ = try await sound()
        try await directory.once { spool in
            #expect(await spool.status.entries == names.count)
            let file = try FileHandle(forWritingTo: URL(filePath: directory.file))
            try file.seek(toOffset: 0)
            try file.write(contentsOf: Data(repeating: 0xAA, count: 4_096))
            try file.close()
            // SQLite may have the page in memory until something is written.
            for _ in 0..<3 { _ = try? await spool.add(try SpoolSample.group(["more"])) }
            let found = Set(SpoolSample.names((try? await spool.oldest(1_000, events: 10_000)) ?? []))
            #expect(found.isSuperset(of: names))
        }
    }

    @Test func `E36: a disk that damages every file is not filled with damaged files`() async throws {
        for number in 0..<8 {
            _ = FileManager.default.createFile(
                atPath: directory.path + "/spool-0-0.aside-\(number)", contents: nil)
        }
        try Data("damaged".utf8).write(to: URL(filePath: directory.file))
        try await directory.once { spool in
            #expect(await !spool.status.isUsable)
            await #expect(throws: SpoolError.self) { try await spool.add(try SpoolSample.group(["a"])) }
        }
        let files = try directory.names
        #expect(files.filter { $0.contains(".aside-") }.count == 8)
    }
}
