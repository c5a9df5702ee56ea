import Foundation
import Storage
import Testing
import Zlib

@testable import Archives

/// Tests reading back the files of an archive.
@Suite struct MonthFileTests {
    private let directory = FileManager.default.temporaryDirectory.path + "/month-file-\(UUID().uuidString.prefix(8))"
    private let line = """
        {"batch_id":1,"delivery_id":"0e9a4c1d-2b3f-5a6b-8c7d-9e0f1a2b3c4d",\
        "event_id":"00000000-0000-0001-0000-000000000002","kind":"sent"}\n
        """

    private func compressed(_ lines: Int) throws -> [UInt8] {
        let gzip = try #require(GzipWriter())
        return (0..<lines).flatMap { _ in gzip.write(Array(line.utf8)) } + gzip.finish()
    }

    private func count(_ bytes: [UInt8]) throws -> EventCount {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let path = directory + "/events.ndjson.gz"
        try Data(bytes).write(to: URL(filePath: path))
        return try MonthFile(path: path).count()
    }

    @Test func `all events of a file are counted`() throws {
        #expect(try count(compressed(20_001)) == EventCount(events: 20_001, checksum: 3))
        #expect(try count(compressed(0)) == EventCount())
    }

    @Test(arguments: [0, 1, 8, 9, 200]) func `a file that is cut off or damaged is not counted`(end: Int) throws {
        let file = try compressed(1_000)
        let place = file.count - 1 - end
        #expect(throws: (any Error).self) { try count(Array(file[..<place])) }
        var damaged = file
        damaged[place] ^= 0x10
        #expect(throws: (any Error).self) { try count(damaged) }
    }

    @Test func `a file that is missing, or no archive, is not counted`() throws {
        #expect(throws: (any Error).self) { try MonthFile(path: directory + "/none").count() }
        #expect(throws: (any Error).self) { try count(Array("plain text\n".utf8)) }
        #expect(throws: (any Error).self) { try count(#require(Gzip.compress(Array("no events\n".utf8)))) }
    }
}
