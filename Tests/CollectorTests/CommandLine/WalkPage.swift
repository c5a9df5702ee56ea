import Foundation
import TestSupport
import Testing

/// A page of the documentation, as commands to run and outputs to expect; see `WalkTests` for the markers.
struct WalkPage: Sendable, CustomTestStringConvertible {
    struct Step: Sendable {
        /// The line of the page on which the commands begin.
        let line: Int
        let commands: String
        var outputs: [String] = []
    }

    /// A line that is printed before each step.
    static let separator = "\n@@ step @@\n"

    /// The path of the page in the repository.
    let path: String
    private(set) var steps: [Step] = []

    var testDescription: String { path }

    /// Whether its examples use the demo's data.
    var usesDemo: Bool { steps.contains { $0.commands.contains("--app demo") } }

    /// The README and the pages of `docs` that have commands to run.
    static func all() throws -> [WalkPage] {
        let files = FileManager.default.enumerator(atPath: Program.root.appending(path: "docs").path)
        let names = (files?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") }.map { "docs/\($0)" }
        return try (["README.md"] + names.sorted()).map { try WalkPage(path: $0) }.filter { !$0.steps.isEmpty }
    }

    init(path: String) throws {
        self.path = path
        let text = try String(contentsOf: Program.root.appending(path: path), encoding: .utf8)
        var block: (opening: Substring, indent: Int, line: Int, lines: [Substring])?
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.drop { $0 == " " }
            if let open = block {
                if content == (open.opening == "<!-- run" ? "-->" : "```") {
                    try add(open.opening, open.lines.map { $0 + "\n" }.joined(), line: open.line)
                    block = nil
                } else {
                    block?.lines.append(line.dropFirst(min(open.indent, line.count - content.count)))
                }
            } else if content.hasPrefix("```") || content == "<!-- run" {
                block = (content, line.count - content.count, number + 1, [])
            }
        }
    }

    private mutating func add(_ opening: Substring, _ text: String, line: Int) throws {
        switch opening {
        case "```sh", "<!-- run": steps.append(Step(line: line, commands: text))
        case "```text", "```json output":
            guard !steps.isEmpty else {
                throw Program.Failed(message: "\(path):\(line): an output without commands before it")
            }
            steps[steps.count - 1].outputs.append(text)
        default: break
        }
    }

    /// The commands of all steps, against the collector at this address.
    func script(collector: String) -> String {
        steps.map { step in
            "printf '\(Self.separator.replacing("\n", with: "\\n"))'\n"
                + step.commands.replacing("http://127.0.0.1:8080", with: collector) + "settled\n"
        }.joined()
    }

    /// Whether these lines stand in what was printed; `...` stands for anything within a line.
    static func text(_ printed: String, shows expected: String) -> Bool {
        func lines(_ text: String) -> [String] {
            text.split(separator: "\n", omittingEmptySubsequences: false).map {
                String($0.reversed().drop { $0 == " " }.reversed())
            }
        }
        let output = lines(printed)
        let patterns = lines(expected.hasSuffix("\n") ? String(expected.dropLast()) : expected)
        guard output.count >= patterns.count else { return false }
        return (0...(output.count - patterns.count)).contains { start in
            zip(output[start...], patterns).allSatisfy { line($0, matches: $1) }
        }
    }

    private static func line(_ line: String, matches pattern: String) -> Bool {
        let parts = pattern.components(separatedBy: "...")
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return line == pattern }
        guard line.hasPrefix(first), line.hasSuffix(last), line.count >= first.count + last.count else { return false }
        var rest = line.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
