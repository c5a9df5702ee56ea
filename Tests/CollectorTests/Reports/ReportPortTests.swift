import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// Tests that report logins, and they alone, reach the program's own cluster over TCP.
struct ReportPortTests {
    private static let psql = "/usr/bin/psql"

    /// An address of this machine that no other test uses.
    private let address = "127.\(Int.random(in: 1...254)).\(Int.random(in: 0...255)).\(Int.random(in: 2...254))"
    private let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"

    /// Runs a statement over TCP, as a user who can't enter the data directory if the tests run as root.
    private func query(_ sql: String, user: String, password: String = "it's") async throws -> Program.Output {
        let stranger = ["--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs"]
        let switching = geteuid() == 0 ? ["/usr/bin/setpriv"] + stranger : []
        let command =
            ["/usr/bin/env"] + switching + [
                Self.psql, "-XAtq", "-c", sql,
                "host=\(address) port=5432 user=\(user) dbname=afterpush sslmode=disable",
            ]
        return try await Program.run(
            Array(command.dropFirst()), program: URL(filePath: command[0]), environment: ["PGPASSWORD": password])
    }

    @Test func `a login of one app reads its reports as any user, and the superuser is refused`() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let collector = try await CollectorProcess(
            conninfo: nil, arguments: ["--data-dir", directory],
            environment: ["AFTERPUSH_POSTGRES_LISTEN": address])
        for app in ["shop", "travel"] {
            let output = try await Program.run(["apps", "create", app, "--data-dir", directory])
            #expect(output.status == 0, "\(output)")
        }
        let url = try await Program.run(["database-url", "--data-dir", directory]).output
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let role = Program.root.appending(path: "dashboards/grafana/role.sql").path
        let made = try await Program.run(
            ["-X", "-q", "-d", url, "-v", "app=shop", "-f", role], program: URL(filePath: Self.psql),
            environment: ["AFTERPUSH_GRAFANA_PASSWORD": "it's"])
        #expect(made.status == 0, "\(made)")

        let read = try await query("select current_user, count(*) from afterpush.deliveries", user: "grafana")
        #expect(read.output == "grafana|0\n", "\(read)")
        let wrong = try await query("select 1", user: "grafana", password: "its")
        #expect(wrong.status != 0 && wrong.error.contains("password authentication failed"), "\(wrong)")
        for user in ["afterpush", "postgres", "unknown"] {
            let refused = try await query("select 1", user: user)
            #expect(refused.status != 0 && refused.error.contains("pg_hba.conf rejects"), "\(refused)")
        }
        #expect(await collector.stop() == 0)

        // Without the setting, the port is closed again.
        let plain = try await CollectorProcess(conninfo: nil, arguments: ["--data-dir", directory])
        let closed = try await query("select 1", user: "grafana")
        #expect(closed.status != 0 && closed.error.contains("Connection refused"), "\(closed)")
        #expect(await plain.stop() == 0)
    }

    @Test func `if another program has the port, PostgreSQL runs without it and events are collected`() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let squatter = Sockets.tcp()
        defer { close(squatter) }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = UInt16(5432).bigEndian
        #expect(inet_pton(AF_INET, address, &place.sin_addr) == 1)
        let isBound = withUnsafePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(squatter, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        #expect(isBound && listen(squatter, 1) == 0)
        let collector = try await CollectorProcess(
            conninfo: nil, arguments: ["--data-dir", directory],
            environment: ["AFTERPUSH_POSTGRES_LISTEN": address])
        #expect(collector.errorOutput.contains("PostgreSQL can't listen on the address for report logins"))
        #expect(collector.errorOutput.contains(address))
        let client = TestClient(url: collector.url)
        #expect(try await client.get("/readyz", key: nil).status == 200)
        _ = try await Program.run(["apps", "create", "shop", "--data-dir", directory])
        let key = try await Program.run(["keys", "create", "--scope", "ingest", "--data-dir", directory]).output
        let body = try JSONSerialization.data(withJSONObject: EventJSON.event())
        let response = try await client.post(
            "/v1/events", body, key: key.trimmingCharacters(in: .whitespacesAndNewlines))
        #expect(response.status == 200, "\(response.text)")
        #expect(await collector.stop() == 0)
    }

    @Test func `no variable of PostgreSQL's programs affects the program's own cluster`() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let names = [
            "PGSERVICE", "PGSERVICEFILE", "PGSYSCONFDIR", "PGTZ", "PGDATESTYLE", "PGGEQO", "PGOPTIONS", "PGHOST",
            "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER", "PGCLIENTENCODING", "PGCONNECT_TIMEOUT", "PGSSLMODE",
            "PGSSLNEGOTIATION", "PGSSLMINPROTOCOLVERSION", "PGSSLMAXPROTOCOLVERSION", "PGSSLCOMPRESSION",
            "PGSSLCERTMODE", "PGSSLROOTCERT", "PGREQUIREPEER", "PGREQUIREAUTH", "PGREQUIRESSL", "PGCHANNELBINDING",
            "PGGSSENCMODE", "PGGSSLIB", "PGKRBSRVNAME", "PGTARGETSESSIONATTRS", "PGLOADBALANCEHOSTS",
            "PGMINPROTOCOLVERSION", "PGMAXPROTOCOLVERSION", "PGLOCALEDIR",
        ]
        let all = Dictionary(uniqueKeysWithValues: names.map { ($0, "nonsense") })
        let collector = try await CollectorProcess(
            conninfo: nil, arguments: ["--data-dir", directory], environment: all)
        for name in ["PGSERVICE", "PGTZ", "PGDATESTYLE", "PGSSLMINPROTOCOLVERSION"] {
            let created = try await Program.run(
                ["apps", "create", name.lowercased(), "--data-dir", directory], environment: [name: "nonsense"])
            #expect(created.status == 0, "\(name): \(created)")
        }
        let found = try await Program.run(["doctor", "--data-dir", directory], environment: all)
        #expect(found.output.contains(/\nok    roles/), "\(found)")
        #expect(await collector.stop() == 0)
    }

    @Test func `the program sends its own cluster no secret of the environment`() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let collector = try await CollectorProcess(conninfo: nil, arguments: ["--data-dir", directory])
        let socket = directory + "/socket/.s.PGSQL.5432"
        #expect(rename(socket, socket + ".real") == 0)
        let server = try PasswordServer(socket)
        let passwords = directory + "/passwords"
        try "*:*:*:*:from-a-file\n".write(toFile: passwords, atomically: false, encoding: .utf8)
        #expect(chmod(passwords, 0o600) == 0)
        let environments = [
            ["PGPASSWORD": "from-a-variable"], ["PGPASSFILE": passwords],
            ["PGHOSTADDR": "127.0.0.1", "PGSSLMODE": "require", "PGREQUIREPEER": "nobody"],
        ]
        for environment in environments {
            let found = try await Program.run(["doctor", "--data-dir", directory], environment: environment)
            #expect(!found.error.contains("password file"), "\(found)")
        }
        let received = server.stop()
        #expect(received.matches(of: /none\0/).count >= environments.count, "\(received)")
        #expect(!received.contains("from-a"), "\(received)")
        #expect(rename(socket + ".real", socket) == 0)
        #expect(await collector.stop() == 0)
    }

    @Test(arguments: ["0.0.0.0", "localhost", "192.168.0.1", "::"])
    func `an address that others could reach is refused`(address: String) async throws {
        let output = try await Program.run(
            ["serve", "--data-dir", directory], environment: ["AFTERPUSH_POSTGRES_LISTEN": address])
        #expect(output.status != 0 && output.error.contains("one of this machine alone"), "\(output)")
        #expect(!FileManager.default.fileExists(atPath: directory))
    }
}

/// A server at PostgreSQL's socket that asks every client for its password.
private final class PasswordServer: Sendable {
    private let descriptor: Int32
    private let received = Mutex("")
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isBound, listen(descriptor, 16) == 0 else { throw Program.Failed(message: "no socket at \(path)") }
        Thread.detachNewThread { self.serve() }
    }

    private func serve() {
        while case let client = accept(descriptor, nil, nil), client >= 0 {
            var limit = timeval(tv_sec: 5, tv_usec: 0)
            setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let question = [UInt8(ascii: "R"), 0, 0, 0, 8, 0, 0, 0, 3]
            if read(client, &bytes, bytes.count) > 0, Sockets.send(question, to: client),
                case let count = read(client, &bytes, bytes.count), count > 5
            {
                received.withLock { $0 += String(decoding: bytes[5..<count], as: UTF8.self) }
            }
            close(client)
        }
        hasEnded.signal()
    }

    /// Returns the passwords.
    func stop() -> String {
        shutdown(descriptor, Int32(SHUT_RDWR))
        hasEnded.wait()
        close(descriptor)
        return received.withLock { $0 }
    }
}
