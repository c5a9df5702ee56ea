import Foundation

/// `Fuzz [decoder|categories|spool|postgres|all] [--seconds N] [--seed N]`: hostile input for as long as it is told to.
///
/// Each part is told apart from the others by its name in the output, and prints its seed first: the same seed, the
/// same input. The first input that breaks a promise ends the program with 1, after it was written to a file.
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
        let chosen = part == "all" ? ["decoder", "categories", "spool", "postgres"] : [part]
        for name in chosen {
            print("\(name): seed \(seed)")
            let clock = FuzzClock(name: name, seconds: seconds / Double(chosen.count))
            switch name {
            case "decoder": DecoderFuzz(seed: seed).run(clock)
            case "categories": CategoryFuzz(seed: seed).run(clock)
            case "spool": try await SpoolFuzz(seed: seed).run(clock)
            case "postgres": try await PostgresFuzz(seed: seed).run(clock)
            default:
                print("usage: Fuzz [decoder|categories|spool|postgres|all] [--seconds N] [--seed N]")
                exit(2)
            }
        }
    }
}
