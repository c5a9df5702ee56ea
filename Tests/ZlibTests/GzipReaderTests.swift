import Testing

@testable import Zlib

struct GzipReaderTests {
    private func read(_ bytes: [UInt8], part: Int) throws(InflateError) -> [UInt8] {
        let reader = try GzipReader()
        var output: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: part) {
            reader.supply(Array(bytes[start..<min(start + part, bytes.count)]))
            while !reader.needsInput { output += try reader.read() }
        }
        try reader.finish()
        return output
    }

    @Test(arguments: [1, 7, 1 << 20])
    func `members that follow each other are read as one file, in parts of any size`(part: Int) throws {
        let zeros = [UInt8](repeating: 0, count: 600_000)
        let file = try [zeros, [], [1, 2]].flatMap { try #require(Gzip.compress($0)) }
        #expect(try read(file, part: part) == zeros + [1, 2])
        #expect(try read([], part: part).isEmpty)
    }

    @Test func `a truncated or changed file is refused`() throws {
        let file = try #require(Gzip.compress(Array("[1,2,3]".utf8)))
        for count in 1..<file.count {
            #expect(throws: InflateError.truncated) { try read(Array(file.prefix(count)), part: 5) }
        }
        #expect(throws: InflateError.corrupt) { try read(file + [0, 0], part: 5) }
        var changed = file
        changed[file.count - 1] ^= 1
        #expect(throws: InflateError.corrupt) { try read(changed, part: 5) }
    }
}
