import Foundation
import SeededRandom
import Testing

/// The time limit and the random numbers of a fuzz test: two seconds and always the same numbers in an ordinary run.
///
/// `AFTERPUSH_FUZZ_SECONDS` sets another time; the seed is then random and printed, or `AFTERPUSH_FUZZ_SEED`.
struct FuzzRun {
    var random: SeededGenerator
    private let name: String
    private let end: ContinuousClock.Instant
    private var inputs = 0
    private var outcomes: [String: Int] = [:]

    init(_ name: String) {
        let environment = ProcessInfo.processInfo.environment
        let seconds = environment["AFTERPUSH_FUZZ_SECONDS"].flatMap(Double.init)
        let seed =
            environment["AFTERPUSH_FUZZ_SEED"].flatMap(UInt64.init) ?? (seconds == nil ? 20 : .random(in: 1...999_999))
        self.name = name
        random = SeededGenerator(seed: seed)
        end = ContinuousClock.now + .seconds(seconds ?? 2)
        print("fuzz \(name): seed \(seed)")
    }

    /// Whether there is time for another input.
    mutating func goesOn() -> Bool {
        guard ContinuousClock.now < end else {
            let what = outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
            print("fuzz \(name): \(inputs) inputs; \(what)")
            return false
        }
        inputs += 1
        return true
    }

    mutating func note(_ outcome: String) {
        outcomes[outcome, default: 0] += 1
    }

    /// The processor time of this thread in seconds, which does not depend on the load of the machine.
    static var work: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension SeededGenerator {
    /// Returns a number as text, as no honest program writes it.
    mutating func hostileNumber() -> String {
        one(
            of:
                "9223372036854775807", "-9223372036854775808", "9223372036854775808", "4611686018427387904", "-1", "0",
            "1",
            "2147483648", "1e300", "-1e300", "1e400", "1e-400", "5.5", "NaN", "null", "\"5\"", "00", "1800000000000",
            String(number(-10...10)), String(repeating: "9", count: number(1...3_000)))
    }

    /// Returns the bytes with a few changes: flips, cuts, copies, numbers and brackets.
    mutating func mutated(_ input: [UInt8]) -> [UInt8] {
        var bytes = input
        for _ in 0..<number(1...4) where !bytes.isEmpty {
            let start = number(0...bytes.count - 1)
            let end = min(bytes.count, start + 1 + (happens(percent: 10) ? number(0...bytes.count) : number(0...8)))
            switch number(0...9) {
            case 0, 1: bytes[start] ^= 1 << UInt8(number(0...7))
            case 2: bytes[start] = UInt8(number(0...255))
            case 3: bytes.removeSubrange(start..<end)
            case 4: bytes.insert(contentsOf: bytes[start..<end], at: number(0...bytes.count))
            case 5: bytes.removeLast(bytes.count - start)
            case 6: for place in start..<end { bytes[place] = happens(percent: 50) ? 0 : 0xFF }
            case 7: bytes.replaceSubrange(start..<end, with: Array(hostileNumber().utf8))
            case 8:
                let bracket = one(of: "[", "{", "{\"a\":", "\"", "]", "}", ",", "\\u0000", "\\ud800", "\u{FEFF}")
                let copies = happens(percent: 5) ? 2_000 : 1
                bytes.insert(contentsOf: Array(String(repeating: bracket, count: copies).utf8), at: start)
            default: bytes.insert(contentsOf: (0..<number(1...40)).map { _ in UInt8(number(0...255)) }, at: start)
            }
        }
        return bytes
    }
}
