import Foundation
import JSON
import Reports
import Storage

/// The output format of `afterpush doctor`.
enum DoctorFormat: String, CaseIterable {
    /// A line for each finding, with its advice on the next line.
    case table
    case json

    func text(_ findings: [CheckResult], color: Bool) -> String {
        switch self {
        case .table: Self.table(findings, color: color)
        case .json: Self.json(findings)
        }
    }

    private static func table(_ findings: [CheckResult], color: Bool) -> String {
        let width = findings.map(\.check.count).max() ?? 0
        return findings.flatMap { finding in
            let level = finding.level.rawValue.padding(toLength: 4, withPad: " ", startingAt: 0)
            let check = finding.check.padding(toLength: width, withPad: " ", startingAt: 0)
            let start = color ? paint(finding.level) + level + "\u{1B}[0m" : level
            let indent = String(repeating: " ", count: width + 8)
            return ["\(start)  \(check)  \(TerminalText.visible(finding.finding))"]
                + (finding.advice.map { ["\(indent)-> \(TerminalText.visible($0))"] } ?? [])
        }.joined(separator: "\n")
    }

    private static func json(_ findings: [CheckResult]) -> String {
        let objects = findings.map { finding in
            JSONText.object([
                ("check", JSONText.string(finding.check)), ("level", JSONText.string(finding.level.rawValue)),
                ("finding", JSONText.string(finding.finding)),
                ("advice", finding.advice.map(JSONText.string) ?? "null"),
            ])
        }
        let level =
            findings.contains { $0.level == .fail } ? "fail" : findings.contains { $0.level == .warn } ? "warn" : "ok"
        return JSONText.object([("level", JSONText.string(level)), ("findings", JSONText.array(objects))])
    }

    private static func paint(_ level: CheckResult.Level) -> String {
        switch level {
        case .ok: "\u{1B}[32m"
        case .warn: "\u{1B}[33m"
        case .fail: "\u{1B}[31m"
        }
    }
}
