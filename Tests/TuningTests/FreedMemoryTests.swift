import Testing

@testable import Tuning

/// Tests that freed memory is returned to the system, and when.
struct FreedMemoryTests {
    private static let mebibyte = 1 << 20

    @Test func `memory that is free between blocks in use is returned`() throws {
        // The last block of each hundred stays in use, so the allocator can't return anything by itself.
        var blocks: [[UInt8]?] = (0..<100_000).map { _ in [UInt8](repeating: 1, count: 2_000) }
        for index in blocks.indices where !index.isMultiple(of: 100) { blocks[index] = nil }
        let before = try #require(FreedMemory.resident)
        FreedMemory.release()
        let after = try #require(FreedMemory.resident)
        #expect(before - after > 50 * Self.mebibyte, "\(before) bytes before, \(after) after")
        #expect(blocks.count { $0 != nil } == 1_000)
    }

    @Test func `memory is returned once it has grown a lot and grows no more`() {
        var policy = FreedMemoryPolicy()
        func check(_ mebibytes: Int) -> Bool { policy.check(resident: mebibytes * Self.mebibyte) }
        #expect(check(70) == false)
        #expect(check(90) == false)
        #expect(check(300) == false, "it grows")
        #expect(check(400) == false, "it grows")
        #expect(check(405) == true)
        policy.released(resident: 200 * Self.mebibyte)
        #expect(check(200) == false)
        #expect(check(320) == false)
        #expect(check(320) == false, "less than the least growth")
        #expect(check(100) == false)
        #expect(check(230) == false)
        #expect(check(232) == true)
        // Nothing could be returned: it is in use, and isn't tried again.
        policy.released(resident: 232 * Self.mebibyte)
        #expect(check(232) == false)
    }
}
