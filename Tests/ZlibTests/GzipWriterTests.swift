import Testing

@testable import Zlib

/// Tests writing gzip files piece by piece.
@Suite struct GzipWriterTests {
    private func read(_ file: [UInt8]) throws -> [UInt8] {
        let reader = try GzipReader()
        var content: [UInt8] = []
        reader.supply(file)
        while !reader.needsInput { content += try reader.read() }
        try reader.finish()
        return content
    }

    @Test(arguments: [[], [0], [1], [0, 5, 0], [70_000, 3, 400_000]] as [[Int]])
    func `what was written in pieces is read back`(sizes: [Int]) throws {
        let writer = try #require(GzipWriter())
        var (file, content): ([UInt8], [UInt8]) = ([], [])
        for size in sizes {
            let piece = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 9) & 63 }
            content += piece
            file += writer.write(piece)
        }
        file += writer.finish()
        #expect(try read(file) == content)
        // zlib checks the checksum and the size at the end.
        for byte in [1, 5] {
            var damaged = file
            damaged[file.count - byte] ^= 1
            #expect(throws: InflateError.corrupt) { try read(damaged) }
        }
    }
}
