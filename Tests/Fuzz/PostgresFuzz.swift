import AfterpushWire
import Events
import Foundation
import LocalPostgres
import Logging
import Postgres

/// Sends values through libpq to a real server and back: each is returned unchanged or refused with an error, and the
/// connection remains usable.
struct PostgresFuzz {
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
    }

    func run(_ clock: FuzzClock) async throws {
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-fuzz-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        // The server runs as another user if started by root, and needs access to the directory.
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory)
        var configuration = LocalCluster.Configuration(dataDirectory: directory)
        configuration.throwaway = true
        let logger = Logger(label: "fuzz", factory: { _ in SwiftLogNoOpLogHandler() })
        let cluster = try await LocalCluster.open(configuration, logger: logger)
        let result: Result<Void, any Error>
        do {
            let connection = try await Connection.open(
                PostgresConfiguration(conninfo: cluster.conninfo), logger: logger)
            result = .success(try await run(clock, connection))
            await connection.close()
        } catch {
            result = .failure(error)
        }
        await cluster.close()
        try? FileManager.default.removeItem(atPath: directory)
        try result.get()
    }

    private func run(_ clock: FuzzClock, _ connection: Connection) async throws {
        var values = HostileValues(seed: seed)
        while clock.goesOn() {
            switch values.grammar.below(8) {
            case 0: try await roundTripScalars(&values, connection, clock)
            case 1: try await roundTripArrays(&values, connection, clock)
            case 2: try await unknownText(&values, connection, clock)
            case 3: try await decodeAnything(&values, connection, clock)
            case 4, 5, 6: try await validEvents(&values, connection, clock)
            default: try await statement(&values, connection, clock)
            }
        }
    }

    private func roundTripScalars(
        _ values: inout HostileValues, _ connection: Connection, _ clock: FuzzClock
    ) async throws {
        let (text, int, double, bool) = (values.text(), values.int(), values.double(), values.bool())
        let (uuid, bytes, time) = (values.uuid(), values.bytes(), values.time())
        clock.count(text?.utf8.count ?? 0)
        let parameters: [Parameter] = [
            .text(text), .int8(int), .float8(double), .bool(bool), .uuid(uuid), .bytea(bytes), .timestamp(time),
        ]
        do {
            let rows = try await connection.query(
                "select $1::text, $2::int8, $3::float8, $4::bool, $5::uuid, $6::bytea, $7::timestamptz", parameters,
                prepared: values.bool() == true)
            guard let row = rows.first else { return clock.require(false, "no row", Array((text ?? "").utf8)) }
            let back = try row.decode(String?.self, Int64?.self, Double?.self, Bool?.self, UUID?.self)
            let same =
                back.0.map { Array($0.utf8) } == text.map { Array($0.utf8) } && back.1 == int
                && back.2?.bitPattern == double?.bitPattern && back.3 == bool && back.4 == uuid
                && row.bytes(5) == bytes && (time == nil) == row.isNull(6)
            clock.require(same, "other scalars came back", Array((text ?? "").utf8))
            if let time {
                clock.require(
                    try row.decode(Postgres.Timestamp.self, column: 6).microseconds == time, "another time", [])
            }
            clock.note("scalars")
        } catch {
            // NUL in a text, or a time outside PostgreSQL's range.
            try await refused(error, allowed: ["22021", "22008"], connection, clock, Array((text ?? "").utf8))
        }
    }

    private func roundTripArrays(
        _ values: inout HostileValues, _ connection: Connection, _ clock: FuzzClock
    ) async throws {
        let count = values.grammar.one(of: [0, 1, 2, 7, 100])
        let texts = (0..<count).map { _ in values.text() }
        let ints = (0..<count).map { _ in values.int() }
        let uuids = (0..<count).map { _ in values.uuid() }
        clock.count(texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) })
        let sql = """
            select array_agg(t order by n), array_agg(i order by n), array_agg(u order by n), $1, $2, $3
            from unnest($1::text[], $2::int8[], $3::uuid[]) with ordinality as given (t, i, u, n)
            """
        do {
            let rows = try await connection.query(
                sql, [.textArray(texts), .int8Array(ints), .uuidArray(uuids)], prepared: values.bool() == true)
            guard let row = rows.first else { return clock.require(false, "no row", []) }
            for offset in [0, 3] where !(offset == 0 && count == 0) {
                let back = try row.decode([String?].self, column: offset).map { $0.map { Array($0.utf8) } }
                clock.require(back == texts.map { $0.map { Array($0.utf8) } }, "other texts came back", [])
                clock.require(try row.decode([Int64?].self, column: offset + 1) == ints, "other numbers came back", [])
                clock.require(try row.decode([UUID?].self, column: offset + 2) == uuids, "other ids came back", [])
            }
            clock.note("arrays")
        } catch {
            try await refused(error, allowed: ["22021"], connection, clock, [])
        }
    }

    /// Sends text whose type the server infers, and which it may be unable to parse.
    private func unknownText(
        _ values: inout HostileValues, _ connection: Connection, _ clock: FuzzClock
    ) async throws {
        let text = values.grammar.chance(0.5) ? values.text() ?? "" : values.grammar.value()
        let type = values.grammar.one(of: [
            "text", "jsonb", "numeric", "int4", "timestamptz", "uuid", "text[]", "bytea", "bool",
        ])
        clock.count(text.utf8.count)
        do {
            let rows = try await connection.query("select $1::\(type)", [.unknown(text)], format: .text)
            if type == "text" {
                clock.require(
                    rows.first?.text(0).map { Array($0.utf8) } == Array(text.utf8), "another text", Array(text.utf8))
            }
            clock.note("inferred")
        } catch {
            let isClean = error.sqlState?.hasPrefix("22") == true || ["54001", "54000"].contains(error.sqlState)
            clock.require(isClean || text.utf8.contains(0), "\(error)", Array(text.utf8))
            try await refused(error, allowed: nil, connection, clock, Array(text.utf8))
        }
    }

    /// Decodes any value of the server as any type: the result is a value or an error.
    private func decodeAnything(
        _ values: inout HostileValues, _ connection: Connection, _ clock: FuzzClock
    ) async throws {
        let expression = values.grammar.one(of: HostileValues.expressions)
        clock.count(expression.utf8.count)
        let rows = try await connection.query(
            "select \(expression)", format: values.bool() == true ? .text : .binary)
        guard let row = rows.first else { return }
        attempt(String?.self, row, clock)
        attempt(Int64?.self, row, clock)
        attempt(Int16?.self, row, clock)
        attempt(Int32.self, row, clock)
        attempt(Double?.self, row, clock)
        attempt(Bool?.self, row, clock)
        attempt(UUID?.self, row, clock)
        attempt(Date?.self, row, clock)
        attempt([String?]?.self, row, clock)
        attempt([[String?]]?.self, row, clock)
        attempt([Int32]?.self, row, clock)
        attempt([Bool?]?.self, row, clock)
        attempt([UUID]?.self, row, clock)
        attempt([Double?]?.self, row, clock)
        attempt([Date]?.self, row, clock)
        attempt(String.self, row, clock, column: 9)
    }

    private func attempt<T: PostgresDecodable>(_ type: T.Type, _ row: Row, _ clock: FuzzClock, column: Int = 0) {
        do {
            _ = try row.decode(type, column: column)
            clock.note("decoded")
        } catch {
            clock.require(error.kind == .decode, "\(error)", [])
            clock.note("not decoded")
        }
    }

    /// Checks that PostgreSQL accepts every event that validation accepts.
    private func validEvents(_ values: inout HostileValues, _ connection: Connection, _ clock: FuzzClock) async throws {
        var body = values.grammar.body()
        if values.grammar.chance(0.5) { body = values.grammar.mutated(body, with: []) }
        clock.count(body.count)
        guard let submission = try? Submission.read(body, as: .json) else { return }
        let result = submission.validated(
            ValidationContext(
                appID: 7, scope: .send, receivedAt: AfterpushWire.Timestamp(microseconds: 1_795_255_200_000_000)))
        guard !result.events.isEmpty || !result.rejections.isEmpty else { return }
        let texts = result.events.flatMap { DecoderFuzz.texts($0).map(\.text) }
        let kept = result.rejections.flatMap { [$0.submittedEvent, $0.eventID, $0.detail] }
        do {
            let rows = try await connection.query(
                """
                select $1::text[], $2::text[]::jsonb[] is not null, $3::text[]::numeric[] is not null,
                    $4::timestamptz[]::text[] is not null
                """,
                [
                    .textArray(texts + kept), .textArray(result.events.map { $0.details?.properties }),
                    .textArray(result.events.map { $0.details?.value }),
                    .timestampArray(
                        result.events.flatMap { [$0.occurredAt.microseconds, $0.deviceTime.microseconds] }),
                ], prepared: true)
            let back = try rows.first?.decode([String?].self, column: 0)
            clock.require(
                back?.map { $0.map { Array($0.utf8) } } == (texts + kept).map { $0.map { Array($0.utf8) } },
                "another text came back", body)
            clock.note("valid", result.events.count)
        } catch {
            clock.require(false, "PostgreSQL refuses what validation accepted: \(error.detailForOperator)", body)
        }
    }

    /// Sends invalid SQL.
    private func statement(_ values: inout HostileValues, _ connection: Connection, _ clock: FuzzClock) async throws {
        let sql = String(
            decoding: values.grammar.mutated(
                Array("select $1::text, 'a', \"b\" from (values (1)) as x (b)".utf8), with: []),
            as: UTF8.self)
        clock.count(sql.utf8.count)
        // COPY and locks are tested elsewhere.
        do {
            _ = try await connection.query(sql, [.text("x")])
            clock.note("statements")
        } catch {
            try await refused(error, allowed: nil, connection, clock, Array(sql.utf8))
        }
    }

    /// Checks that the connection remains usable after an error.
    private func refused(
        _ error: PostgresError, allowed: [String]?, _ connection: Connection, _ clock: FuzzClock, _ input: [UInt8]
    ) async throws {
        clock.note("refused")
        if let allowed { clock.require(allowed.contains(error.sqlState ?? ""), "\(error)", input) }
        let rows = try await connection.query("select 1::int4")
        clock.require(try rows.first?.decode(Int32.self) == 1, "the connection is spoilt", input)
    }
}
