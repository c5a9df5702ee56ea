import Foundation
import Postgres
import SQLFiles

extension DatabaseChecks {
    /// The maximum number of connections that a collector opens, which is the total size of its pools.
    private static let connectionsNeeded = Database.connections

    static func server(_ connection: Connection) async throws -> [CheckResult] {
        let before = Date().timeIntervalSince1970
        let rows = try await connection.query(SQLFiles.checkServer.text)
        let after = Date().timeIntervalSince1970
        let row = rows[0]
        let (number, version, _, clock) = try row.decode(Int32.self, String.self, Bool.self, Double.self)
        return [
            Self.version(number, version),
            writes(try row.decode(Bool.self, column: 2)),
            Self.clock(difference: clock - (before + after) / 2, within: (after - before) / 2),
            durability(
                fsync: try row.decode(String.self, column: 4), pages: try row.decode(String.self, column: 5),
                commit: try row.decode(String.self, column: 6)),
            connections(
                allowed: Int(try row.decode(Int32.self, column: 7)), open: Int(try row.decode(Int32.self, column: 8))),
        ]
    }

    /// Compares the server's version with the oldest that Afterpush runs with, and with the first minor versions without
    /// holes in what keeps reports apart that were known when this was written.
    ///
    /// Whoever writes a report can use these holes. Before these versions, `to_char` runs code as the user of the server
    /// (CVE-2026-14669). Still older ones also show samples of rows that row-level security hides (CVE-2025-8713), before
    /// 15.14, 16.10 and 17.6.
    package static func version(_ number: Int32, _ version: String) -> CheckResult {
        let text = "PostgreSQL \(version)"
        let fixed: Int32? =
            switch number {
            case ..<150_000: nil
            case ..<160_000: 150_019
            case ..<170_000: 160_015
            case ..<180_000: 170_011
            case ..<190_000: 180_006
            default: 0
            }
        guard let fixed else { return CheckResult("version", .fail, text, advice: "upgrade to 15 or newer") }
        guard number < fixed else { return CheckResult("version", .ok, text) }
        return CheckResult(
            "version", .warn, "\(text) lets whoever writes a report run code on the server (CVE-2026-14669)",
            advice: "upgrade to \(fixed / 10_000).\(fixed % 10_000) or newer")
    }

    private static func writes(_ isWritable: Bool) -> CheckResult {
        isWritable
            ? CheckResult("writable", .ok, "it accepts writes")
            : CheckResult(
                "writable", .fail, "it is a standby, or set to read-only",
                advice: "name the primary in --database-url, or all hosts with target_session_attrs=read-write")
    }

    /// Compares the database's clock with this host's: device times are compared with the collector's clock, and
    /// batches have times of the database's clock.
    ///
    /// - Parameters:
    ///   - difference: The seconds by which the database's clock is ahead.
    ///   - uncertainty: The maximum error of the difference in seconds.
    package static func clock(difference: Double, within uncertainty: Double) -> CheckResult {
        let text = "the database's is \(seconds(abs(difference))) \(difference < 0 ? "behind" : "ahead of") this host's"
        let advice = "keep both hosts' clocks in step, with NTP"
        switch max(0, abs(difference) - uncertainty) {
        case ..<2: return CheckResult("clock", .ok, text)
        case ..<60: return CheckResult("clock", .warn, text, advice: advice)
        default: return CheckResult("clock", .fail, text, advice: advice)
        }
    }

    private static func durability(fsync: String, pages: String, commit: String) -> CheckResult {
        let text = "fsync \(fsync), full_page_writes \(pages), synchronous_commit \(commit)"
        guard [fsync, pages, commit].contains("off") else { return CheckResult("durability", .ok, text) }
        return CheckResult(
            "durability", .fail, text,
            advice:
                "turn on what is off; without it, acknowledged events may be lost when the server or its machine stops")
    }

    package static func connections(allowed: Int, open: Int) -> CheckResult {
        let text = "\(allowed) allowed, \(open) open; a collector takes up to \(connectionsNeeded)"
        if allowed < connectionsNeeded {
            return CheckResult("connections", .fail, text, advice: "raise max_connections")
        }
        // The open connections include those of a running collector.
        if allowed - open < 3 {
            return CheckResult("connections", .warn, text, advice: "raise max_connections, or find out what uses them")
        }
        return CheckResult("connections", .ok, text)
    }

    static func roles(_ connection: Connection) async throws -> [CheckResult] {
        var missing: [String] = []
        var closed: [String] = []
        for row in try await connection.query(SQLFiles.checkRoles.text) {
            let (name, exists, isMember) = try row.decode(String.self, Bool.self, Bool.self)
            if !exists { missing.append(name) } else if !isMember { closed.append(name) }
        }
        if !missing.isEmpty {
            return [
                CheckResult(
                    "roles", .fail, "not there: \(missing.joined(separator: ", "))",
                    advice: "run 'afterpush migrate' as a login that can create roles")
            ]
        }
        if !closed.isEmpty {
            let roles = closed.joined(separator: ", ")
            return [
                CheckResult(
                    "roles", .fail, "the login is not a member of \(roles)",
                    advice: "as a superuser: grant \(roles) to the login of --database-url")
            ]
        }
        return [CheckResult("roles", .ok, "all exist, and the login is a member of each")]
    }

    /// Says where Citus is installed whether it has distributed tables; without Citus, there is nothing to say.
    static func citus(_ connection: Connection) async throws -> [CheckResult] {
        let rows = try await connection.query(SQLFiles.checkCitus.text)
        guard !rows.isEmpty else { return [] }
        let tables = try rows.compactMap { try $0.decode(String?.self, column: 0) }
        guard !tables.isEmpty else { return [CheckResult("citus", .ok, "all tables are on this server alone")] }
        return [
            CheckResult(
                "citus", .fail,
                "it distributes \(tables.joined(separator: ", ")), which is not supported: events and what is computed from them change in one transaction, and the policies that separate apps don't hold on workers",
                advice: "on the coordinator, with the collectors stopped: "
                    + tables.map { "select undistribute_table('afterpush.\($0)')" }.joined(separator: "; ")
                    + "; see docs/scale.md")
        ]
    }

    static func seconds(_ seconds: Double) -> String {
        switch seconds {
        case ..<10: String(format: "%.1f s", seconds)
        case ..<120: "\(Int(seconds)) s"
        case ..<7_200: "\(Int(seconds / 60)) min"
        default: "\(Int(seconds / 3_600)) h"
        }
    }
}
