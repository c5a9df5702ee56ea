import Foundation
import Testing

@testable import Imports

/// Files as bytes, compressed or not.
@Suite struct ByteSourceTests {
    private func read(_ bytes: [UInt8]) throws(ImportError) -> [UInt8] {
        guard let file = try? TemporaryFile(bytes) else { return [] }
        let source = try ByteSource(path: file.path)
        var all: [UInt8] = []
        while true {
            let block = try source.read()
            if block.isEmpty { return all }
            all += block
        }
    }

    private let text = (0..<200_000).flatMap { Array("line \($0)\n".utf8) }

    @Test func `gzip is known by its first bytes, and may have several members`() throws {
        let half = text.count / 2
        #expect(try read(text) == text)
        #expect(try read(Zip.gzip(text)) == text)
        #expect(try read(Zip.gzip(Array(text[..<half])) + Zip.gzip(Array(text[half...]))) == text)
        #expect(try read(Zip.gzip([])).isEmpty)
        #expect(try read([]).isEmpty)
    }

    @Test func `gzip that is cut off or damaged is told`() throws {
        let zipped = Zip.gzip(text)
        #expect(throws: ImportError.gzipTruncated) { try self.read(Array(zipped[..<(zipped.count / 2)])) }
        #expect(throws: ImportError.gzipTruncated) { try self.read(Array(zipped.dropLast())) }
        var damaged = zipped
        for place in (zipped.count / 2)..<(zipped.count / 2 + 40) { damaged[place] ^= 0x5A }
        #expect(throws: ImportError.gzipCorrupt) { try self.read(damaged) }
        #expect(throws: ImportError.gzipCorrupt) { try self.read(zipped + Array("garbage".utf8)) }
    }

    @Test func `a bomb comes out in small pieces`() throws {
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
        #expect(largest <= 256 * 1024)
    }

    @Test func `what is no text of UTF-8 or not there is told`() throws {
        #expect(throws: ImportError.self) { try self.read([0xFF, 0xFE, 0x65, 0]) }
        #expect(throws: ImportError.unreadable("No such file or directory")) { _ = try ByteSource(path: "/nowhere") }
        #expect(throws: ImportError.unreadable("Is a directory")) { _ = try ByteSource(path: "/tmp") }
    }
}
