import Foundation

/// Feeds hostile input to parts of the collector: `Fuzz [decoder|dialects|categories|spool|postgres|all] [--seconds N] [--seed
/// N]`.
///
/// Each part prints its name and seed first; the same seed yields the same input. The first input that violates an
/// expectation is written to a file, and the program exits with code 1.
@main
enum Fuzz {
    static func main() async throws {
        var arguments = CommandLine.arguments.dropFirst()
        let part = arguments.first.map { $0.hasPrefix("-") ? "all" : $0 } ?? "all"
        var seconds = 10.0
        var seed = UInt64.random(in: 1...999_999)
        while let argument = arguments.popFirst() {
            if argument == "--seconds", let value = arguments.popFirst().flatMap({ Double($0) }) { seconds = value }
            if argument == "--seed", let value = arguments.popFirst().flatMap({ UInt64($0) }) { seed = value }
        }
        let chosen = part == "all" ? ["decoder", "dialects", "categories", "spool", "postgres"] : [part]
        for name in chosen {
            print("\(name): seed \(seed)")
            let clock = FuzzClock(name: name, seconds: seconds / Double(chosen.count))
            switch name {
            case "decoder": DecoderFuzz(seed: seed).run(clock)
            case "dialects": DialectFuzz(seed: seed).run(clock)
            case "categories": CategoryFuzz(seed: seed).run(clock)
            case "spool": try await SpoolFuzz(seed: seed).run(clock)
            case "postgres": try await PostgresFuzz(seed: seed).run(clock)
            default:
                print("usage: Fuzz [decoder|dialects|categories|spool|postgres|all] [--seconds N] [--seed N]")
                exit(2)
            }
        }
    }
}
