import AfterpushWire
import Foundation

/// A random number generator that produces the same numbers for the same seed (SplitMix64).
struct RandomSource: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// Returns an independent generator: how often it is used doesn't change the numbers of this one.
    mutating func fork() -> RandomSource {
        RandomSource(seed: next())
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns true with a probability.
    mutating func happens(_ probability: Double) -> Bool {
        number(in: 0..<1) < probability
    }

    mutating func number(in range: Range<Double>) -> Double {
        Double.random(in: range, using: &self)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.randomElement(using: &self)
    }

    /// Returns an element with a probability in proportion to its weight, or nil if no weight is above 0.
    mutating func pick<Element>(_ elements: [Element], by weight: (Element) -> Double) -> Element? {
        let total = elements.reduce(0) { $0 + weight($1) }
        guard total > 0 else { return nil }
        var roll = number(in: 0..<total)
        for element in elements {
            roll -= weight(element)
            if roll < 0 { return element }
        }
        return elements.last { weight($0) > 0 }
    }

    /// Returns a number from a log-normal distribution.
    mutating func logNormal(median: Double, spread: Double) -> Double {
        let radius = (-2 * log(number(in: Double.leastNormalMagnitude..<1))).squareRoot()
        return median * exp(spread * radius * cos(2 * .pi * number(in: 0..<1)))
    }

    /// Returns a UUID of version 7: the time in milliseconds, then random bits.
    mutating func uuid(at time: Timestamp) -> UUID {
        let milliseconds = UInt64(bitPattern: time.microseconds / 1_000)
        let high = milliseconds << 16 | 0x7000 | next() & 0x0FFF
        let low = next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        func byte(_ word: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (56 - 8 * index)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6), byte(high, 7), byte(low, 0), byte(low, 1), byte(low, 2), byte(low, 3), byte(low, 4),
                byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
