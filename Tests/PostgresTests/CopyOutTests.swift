import Testing

@testable import Postgres

/// Tests COPY to a receiver that determines the pace.
struct CopyOutTests {
    @Test func `all rows arrive in order`() async throws {
        let connection = try await TestServer.connect()
        let received = SharedValue([UInt8]())
        try await connection.copyOut("copy (select generate_series(1, 100000)) to stdout") { chunk in
            received.change { $0 += chunk }
        }
        let expected = (1...100_000).map { "\($0)\n" }.joined()
        #expect(String(decoding: received.value, as: UTF8.self) == expected)
        #expect(try await connection.query("select 1").count == 1)
    }

    @Test func `a slow receiver makes the server wait instead of filling memory`() async throws {
        let connection = try await TestServer.connect { $0.statementTimeout = .milliseconds(200) }
        let watcher = try await TestServer.connect()
        let pid = await connection.backendPID
        let total = SharedValue(0), waits = SharedValue(Set<String>()), ahead = SharedValue(Int64(0))
        try await connection.copyOut(
            "copy (select repeat('x', 999) from generate_series(1, 400000)) to stdout", statementTimeout: .zero
        ) { chunk in
            let isSlow = total.value < 300_000
            total.change { $0 += chunk.count }
            guard isSlow else { return }
            try await Task.sleep(for: .milliseconds(200))
            let rows = try await watcher.query(
                """
                select wait_event, coalesce((select bytes_processed from pg_stat_progress_copy where pid = $1), 0)
                from pg_stat_activity where pid = $1
                """, [.int4(pid)])
            let event = try rows[0].decode(String?.self, column: 0)
            let sent = try rows[0].decode(Int64.self, column: 1)
            waits.change { _ = $0.insert(event ?? "") }
            ahead.change { $0 = max($0, sent - Int64(total.value)) }
        }
        #expect(total.value == 400_000_000)
        #expect(waits.value.contains("ClientWrite"))
        // The buffers of both sides hold that much.
        #expect(ahead.value > 0 && ahead.value < 20_000_000, "the server was \(ahead.value) bytes ahead")
    }

    @Test func `rows arrive in large chunks, however few the server sends at a time`() async throws {
        let connection = try await TestServer.connect()
        let sizes = SharedValue([Int]())
        try await connection.copyOut(
            """
            copy (
                select repeat('x', 99) || coalesce(pg_sleep(case when i % 50 = 0 then 0.001 end)::text, '')
                from generate_series(1, 2500) as i
            ) to stdout
            """
        ) { chunk in
            sizes.change { $0.append(chunk.count) }
        }
        #expect(sizes.value.reduce(0, +) == 2_500 * 100)
        #expect(sizes.value.dropLast().allSatisfy { $0 >= 65_536 }, "\(sizes.value)")
        #expect(sizes.value.count == 4)
    }

    @Test func `the connection refuses other statements during COPY`() async throws {
        let connection = try await TestServer.connect()
        let kinds = SharedValue([PostgresError.Kind]())
        try await connection.copyOut("copy (select 1) to stdout") { _ in
            do {
                _ = try await connection.query("select 1")
            } catch let error as PostgresError {
                kinds.change { $0.append(error.kind) }
            }
        }
        #expect(kinds.value == [.busy])
    }

    @Test func `an error thrown by the receiver ends the COPY and the connection`() async throws {
        struct Full: Error {}
        let connection = try await TestServer.connect()
        await #expect(throws: Full.self) {
            try await connection.copyOut("copy (select generate_series(1, 10000000)) to stdout") { _ in throw Full() }
        }
        #expect(await !connection.isUsable)
    }

    @Test func `a connection that is closed during COPY is an error`() async throws {
        let connection = try await TestServer.connect()
        let error = await #expect(throws: PostgresError.self) {
            try await connection.copyOut("copy (select generate_series(1, 10000000)) to stdout") { _ in
                await connection.close()
            }
        }
        #expect(error?.kind == .closed)
    }

    @Test func `a server error before or during COPY is thrown, and the connection remains usable`() async throws {
        let connection = try await TestServer.connect()
        for sql in [
            "copy (select * from nowhere) to stdout",
            "copy (select 1/(5000-i) from generate_series(1, 9999) i) to stdout",
        ] {
            let error = await #expect(throws: PostgresError.self) { try await connection.copyOut(sql) { _ in } }
            #expect(error?.kind == .server)
            #expect(try await connection.query("select 1").count == 1)
        }
    }

    @Test func `a statement that is not a COPY out is refused`() async throws {
        let connection = try await TestServer.connect()
        let misuse = await #expect(throws: PostgresError.self) { try await connection.copyOut("select 1") { _ in } }
        #expect(misuse?.kind == .misuse)
        try await connection.script("create table if not exists copied (i int)")
        let write = await #expect(throws: PostgresError.self) {
            try await connection.copyOut("copy (insert into copied values (1) returning i) to stdout") { _ in }
        }
        #expect(write?.sqlState == "25006")
    }

    @Test func `a COPY passed as a query is refused instead of waiting forever`() async throws {
        for sql in ["copy pg_class to stdout", "copy copied from stdin"] {
            let connection = try await TestServer.connect()
            try await connection.script("create temp table copied (i int)")
            let error = await #expect(throws: PostgresError.self) { try await connection.script(sql) }
            #expect(error?.kind == .misuse)
            #expect(await !connection.isUsable)
        }
    }
}
