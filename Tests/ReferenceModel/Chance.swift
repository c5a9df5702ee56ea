import Foundation
import SeededRandom

/// What the scenario generator asks of chance.
struct Chance {
    private var generator: SeededGenerator

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    mutating func happens(_ percent: Int) -> Bool {
        number(0...99) < percent
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    mutating func one<Element>(of first: Element, _ others: Element...) -> Element {
        let index = number(0...others.count)
        return index == 0 ? first : others[index - 1]
    }

    /// Nil for an empty array.
    mutating func one<Element>(in elements: [Element]) -> Element? {
        elements.randomElement(using: &generator)
    }

    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        elements.shuffled(using: &generator)
    }

    mutating func some<Element>(_ count: Int, of elements: [Element]) -> [Element] {
        Array(shuffled(elements).prefix(count))
    }

    mutating func uuid() -> UUID {
        var bytes = [UInt8]()
        for _ in 0..<2 {
            withUnsafeBytes(of: generator.next()) { bytes += $0 }
        }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
