import Foundation

/// Random numbers that are the same for the same seed (SplitMix64).
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Whether something of a probability happens.
    mutating func happens(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element? {
        elements.randomElement(using: &self)
    }

    /// Seconds until a response: log-normal, as people's reactions are.
    mutating func responseSeconds(median: Double, spread: Double) -> Double {
        let first = Double.random(in: Double.leastNonzeroMagnitude..<1, using: &self)
        let second = Double.random(in: 0..<1, using: &self)
        let normal = (-2 * log(first)).squareRoot() * cos(2 * .pi * second)
        return median * exp(spread * normal)
    }

    mutating func uuid() -> UUID {
        let (high, low) = (next(), next())
        func byte(_ word: UInt64, _ place: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word >> (8 * place)) }
        return UUID(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                byte(high, 6) & 0x0F | 0x40, byte(high, 7), byte(low, 0) & 0x3F | 0x80, byte(low, 1), byte(low, 2),
                byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
