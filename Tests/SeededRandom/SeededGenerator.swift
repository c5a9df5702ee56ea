package import Foundation

/// A random number generator that yields the same sequence for the same seed (SplitMix64).
///
/// It depends on nothing, so that the reference model can use it without sharing code with the product.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension SeededGenerator {
    /// Returns true with a probability in percent.
    package mutating func happens(percent: Int) -> Bool {
        number(0...99) < percent
    }

    /// Returns true with a probability between 0 and 1.
    package mutating func happens(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }

    package mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &self)
    }

    package mutating func one<Element>(of first: Element, _ others: Element...) -> Element {
        let index = number(0...others.count)
        return index == 0 ? first : others[index - 1]
    }

    /// Returns nil for an empty array.
    package mutating func one<Element>(in elements: [Element]) -> Element? {
        elements.randomElement(using: &self)
    }

    package mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        elements.shuffled(using: &self)
    }

    package mutating func some<Element>(_ count: Int, of elements: [Element]) -> [Element] {
        Array(shuffled(elements).prefix(count))
    }

    package mutating func uuid() -> UUID {
        var bytes = [UInt8]()
        for _ in 0..<2 {
            withUnsafeBytes(of: next()) { bytes += $0 }
        }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
