import Foundation
import Testing

@testable import Imports

/// Tests reading files, compressed or not.
@Suite struct ByteSourceTests {
    private func read(_ bytes: [UInt8]) throws -> [UInt8] {
        let (all, damage) = try readDamaged(bytes)
        #expect(damage == nil)
        return all
    }

    private func readDamaged(_ bytes: [UInt8]) throws -> (bytes: [UInt8], damage: ImportError?) {
        let file = try TemporaryFile(bytes)
        let source = try ByteSource(path: file.path)
        var all: [UInt8] = []
        while true {
            let block = try source.read()
            if block.isEmpty { return (all, source.damage) }
            all += block
        }
    }

    private let text = (0..<200_000).flatMap { Array("line \($0)\n".utf8) }

    @Test func `gzip is recognized by its first bytes and can have several members`() throws {
        let half = text.count / 2
        #expect(try read(text) == text)
        #expect(try read(Zip.gzip(text)) == text)
        #expect(try read(Zip.gzip(Array(text[..<half])) + Zip.gzip(Array(text[half...]))) == text)
        #expect(try read(Zip.gzip([])).isEmpty)
        #expect(try read([]).isEmpty)
    }

    @Test func `truncated or damaged gzip is reported, and read up to the defect`() throws {
        let zipped = Zip.gzip(text)
        func changed(_ places: Range<Int>) -> [UInt8] {
            var damaged = zipped
            for place in places { damaged[place] ^= 0x5A }
            return damaged
        }
        let half = zipped.count / 2
        let cases: [([UInt8], ImportError)] = [
            (Array(zipped[..<half]), .gzipTruncated), (Array(zipped[..<12]), .gzipTruncated),
            (zipped.dropLast(), .gzipTruncated), (changed(half..<half + 40), .gzipCorrupt),
            (changed(zipped.count - 8..<zipped.count), .gzipCorrupt), (zipped + Array("garbage".utf8), .gzipCorrupt),
        ]
        for (bytes, damage) in cases {
            let read = try readDamaged(bytes)
            #expect(read.damage == damage)
            // The expected text comes from separate code that decompresses everything in one call.
            let expected = Zip.gunzip(bytes, atMost: 2 * text.count)
            let isSame = read.bytes == expected
            #expect(isSame, "\(bytes.count) bytes, \(damage): \(read.bytes.count) instead of \(expected.count)")
        }
    }

    @Test(arguments: [FileFormat.ndjson, .json, .csv])
    func `all complete records of a truncated file are found`(format: FileFormat) throws {
        let records = (0..<20_000).map { number in
            format == .csv ? "\(number),\"a\nb\"\n" : #"{"event_id":"\#(number)","a":\#(number * number)}"# + "\n"
        }
        let head = format == .csv ? "event_id,a\n" : format == .json ? "[" : ""
        let zipped = Zip.gzip(Array((head + records.joined(separator: format == .json ? "," : "")).utf8))
        let end = format == .csv ? "b\"\n" : format == .json ? "}" : "\n"
        for part in [0.001, 0.2, 0.5, 0.9, 0.999] {
            let cut = Array(zipped[..<Int(Double(zipped.count) * part)])
            let left = String(decoding: Zip.gunzip(cut, atMost: 4 << 20), as: UTF8.self)
            let found = try Found(cut, as: format)
            #expect(found.lines.count == left.components(separatedBy: end).count - 1, "\(part)")
            // A row can be cut within a cell of two lines.
            #expect(found.refusals.count <= (format == .csv ? 1 : 0))
        }
    }

    @Test func `a decompression bomb is read in small chunks`() throws {
        let zeros = [UInt8](repeating: 0, count: 64 << 20)
        let file = try TemporaryFile(Zip.gzip(zeros))
        let source = try ByteSource(path: file.path)
        var (all, largest) = (0, 0)
        while true {
            let block = try source.read()
            if block.isEmpty { break }
            all += block.count
            largest = max(largest, block.count)
        }
        #expect(all == zeros.count)
        // The first chunk is only as long as needed to detect the format.
        #expect(largest <= ImportChunk.recordLimit + 256 * 1024)
    }

    @Test func `a file that is missing or not UTF-8 is reported`() throws {
        #expect(throws: ImportError.self) { try self.read([0xFF, 0xFE, 0x65, 0]) }
        #expect(throws: ImportError.unreadable("No such file or directory")) { _ = try ByteSource(path: "/nowhere") }
        #expect(throws: ImportError.unreadable("Is a directory")) { _ = try ByteSource(path: "/tmp") }
    }
}
