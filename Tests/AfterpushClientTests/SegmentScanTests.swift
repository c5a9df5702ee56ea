import AfterpushWire
import Testing

@testable import AfterpushClient

struct SegmentScanTests {
    private let frames = (0..<3).map { number in
        RecordFrame.encode(Sample.json(number), at: Timestamp(microseconds: Int64(number) * 1_000))
    }
    private var bytes: [UInt8] { frames.flatMap { $0 } }

    private func numbers(_ bytes: [UInt8]) -> [Int] {
        let scan = SegmentScan(bytes)
        return scan.records.compactMap { Sample.number(Array(bytes[$0.json])) }
    }

    @Test func `events are read as they were written, with their times of recording`() {
        #expect(numbers(bytes) == [0, 1, 2])
        #expect(SegmentScan(bytes).records.map(\.milliseconds) == [0, 1, 2])
        #expect(!SegmentScan(bytes).isDamaged)
        #expect(SegmentScan([]).records.isEmpty)
    }

    @Test func `a truncated write costs no other event, wherever it was cut`() {
        let ends = [0, frames[0].count, frames[0].count + frames[1].count, bytes.count]
        for length in 0...bytes.count {
            let complete = ends.lastIndex { $0 <= length } ?? 0
            #expect(numbers(Array(bytes[..<length])) == Array(0..<complete), "cut at \(length)")
            #expect(!SegmentScan(Array(bytes[..<length])).isDamaged)
        }
    }

    @Test func `a flipped bit costs only the event that contains it`() {
        for offset in bytes.indices {
            for bit in [0, 7] {
                var damaged = bytes
                damaged[offset] ^= 1 << bit
                let damagedEvent = offset < frames[0].count ? 0 : offset < frames[0].count + frames[1].count ? 1 : 2
                #expect(numbers(damaged) == [0, 1, 2].filter { $0 != damagedEvent }, "bit \(bit) of byte \(offset)")
                // At the end it looks like a truncated write.
                #expect(SegmentScan(damaged).isDamaged == (damagedEvent < 2))
            }
        }
    }

    @Test func `zeros after the last event are not read as events`() {
        #expect(numbers(bytes + [UInt8](repeating: 0, count: 4_096)) == [0, 1, 2])
    }
}
