import AfterpushWire
import Foundation
import Logging
import Postgres
import SQLFiles
import Testing

@testable import Reports

@Suite(.throwawayCluster) struct DayBeginningTests {
    static let schema = """
        create schema afterpush;
        do $$ begin
            create role afterpush_report nologin;
        exception when duplicate_object or unique_violation then null;
        end $$;

        """
        + SQLFiles.definitions.filter { ["first_instant", "report_time"].contains($0.name) }.map(\.text).joined(
            separator: "\n")

    /// Zones whose clocks changed around midnight or that skipped or repeated a day, and some ordinary ones.
    static let zones = [
        "America/Havana", "Atlantic/Azores", "Asia/Beirut", "Asia/Amman", "Asia/Gaza", "Africa/Cairo",
        "America/Asuncion",
        "America/Santiago", "America/Sao_Paulo", "America/Goose_Bay", "Pacific/Apia", "Pacific/Kwajalein",
        "Asia/Manila",
        "Asia/Tehran", "Australia/Lord_Howe", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC",
    ]

    /// The days around each change of a zone's offset since 1980.
    private static func days(of zone: TimeZone) -> Set<String> {
        let format = Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
        var days: Set<String> = []
        var date = Date(timeIntervalSince1970: 315_532_800)
        while let next = zone.nextDaylightSavingTimeTransition(after: date), next > date, next < .now {
            for offset in [-86_400.0, 0, 86_400] { days.insert(next.addingTimeInterval(offset).formatted(format)) }
            date = next
        }
        return days
    }

    @Test func `a date is the same instant in psql and over HTTP, also on days when clocks change`() async throws {
        let cluster = try await #require(ThrowawayCluster.current).withNewDatabase()
        _ = try await cluster.psql(["-c", Self.schema])
        let connection = try await Connection.open(
            PostgresConfiguration(conninfo: cluster.conninfo), logger: Logger(label: "test"))
        var twice = 0
        for name in Self.zones {
            let zone = try #require(TimeZone(identifier: name))
            let days = Self.days(of: zone).sorted()
            let rows = try await connection.query(
                """
                select day, extract(epoch from afterpush.report_time(day, $2))::bigint,
                    extract(epoch from day::timestamp at time zone $2)::bigint
                from unnest($1::text[]) as day
                """, [.textArray(days), .text(name)])
            for row in rows {
                let (day, instant, late) = try row.decode(String.self, Int64.self, Int64.self)
                #expect(ReportTime.read(day, zone: zone)?.microseconds == instant * 1_000_000, "\(day) in \(name)")
                if instant != late { twice += 1 }
            }
        }
        #expect(twice > 100)
        await connection.close()
    }
}
