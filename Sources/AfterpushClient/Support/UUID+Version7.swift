import AfterpushWire
import Foundation

extension UUID {
    /// Creates a UUID of version 7: the time in milliseconds and 4,096ths of a millisecond, then random bits.
    static func version7(at time: Timestamp) -> UUID {
        let microseconds = UInt64(clamping: time.microseconds)
        let milliseconds = microseconds / 1_000 & 0xFFFF_FFFF_FFFF
        let high = milliseconds << 16 | 0x7000 | microseconds % 1_000 * 4_096 / 1_000
        let low = UInt64.random(in: 0...0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
        func byte(_ word: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * place)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4),
                byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
