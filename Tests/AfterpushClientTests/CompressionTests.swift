import Foundation
import Testing

@testable import AfterpushClient

struct CompressionTests {
    @Test func `gzip is what gunzip reads`() throws {
        let text = Array(String(repeating: "afterpush ", count: 1_000).utf8)
        let packed = try #require(Compression.gzip(text))
        #expect(packed.count < 200)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/gunzip")
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        input.fileHandleForWriting.write(Data(packed))
        try input.fileHandleForWriting.close()
        #expect(output.fileHandleForReading.readDataToEndOfFile() == Data(text))
        process.waitUntilExit()
    }

    @Test func `the checksum is that of gzip`() {
        #expect(Compression.checksum(Array("123456789".utf8)[...]) == 0xCBF4_3926)
    }
}
