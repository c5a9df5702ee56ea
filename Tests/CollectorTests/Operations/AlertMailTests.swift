import Alerts
import Foundation
import Storage
import TestSupport
import Testing

/// Tests the login at a mail server, with libcurl against a server in Python.
@Suite struct AlertMailTests {
    /// A mail server with a certificate for `localhost` that no authority signed.
    private final class Server {
        let certificate = TestCertificate()
        let port: Int
        private let record: String
        private let process: ServerProcess

        init(_ mode: String, mechanism: String = "PLAIN") async throws {
            try await certificate.make()
            port = try Sockets.freePort()
            let name = "afterpush-mail-\(UUID().uuidString.prefix(8))"
            let directory = FileManager.default.temporaryDirectory.appending(path: name).path
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
            record = directory + "/record"
            let script = Program.root.appending(path: "Tests/CollectorTests/Fixtures/mail_server.py").path
            process = try await ServerProcess(
                [
                    "/usr/bin/python3", script, mode, mechanism, String(port), certificate.path, certificate.key,
                    record,
                ], port: port, directory: directory)
        }

        deinit { certificate.remove() }

        /// What clients did, in order; not the probe of whether the server listens.
        var events: [String] {
            let text = FileManager.default.contents(atPath: record).map { String(decoding: $0, as: UTF8.self) } ?? ""
            return text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("broken") }
        }
    }

    private func send(
        to server: Server, _ scheme: String, user: String? = "alerts@example.com", password: String = "se cret",
        trusts: Bool = true
    ) async -> DeliveryResult {
        var configuration = AlertSenderConfiguration()
        configuration.mailServer = "\(scheme)://localhost:\(server.port)"
        configuration.mailUser = user
        configuration.mailPassword = password
        if trusts { configuration.mailAuthorities = server.certificate.path }
        let message = OutgoingMessage(id: UUID(), subject: "An alert", body: "It fires.", secret: [1])
        return await AlertSender(configuration).send(
            message, to: AlertDestination(kind: .email, target: "ops@example.com"))
    }

    @Test(arguments: [("smtp", "starttls"), ("smtps", "tls")], ["PLAIN", "LOGIN"])
    func `a login goes over STARTTLS or TLS only, with either mechanism`(
        server: (scheme: String, mode: String), mechanism: String
    ) async throws {
        let running = try await Server(server.mode, mechanism: mechanism)
        #expect(await send(to: running, server.scheme) == .delivered)
        let start = server.mode == "starttls" ? ["starttls"] : []
        #expect(running.events == start + ["auth \(mechanism) encrypted", "login", "mail"])
    }

    @Test func `mail without a login or authorities is encrypted if the server offers it, whoever signed for it`()
        async throws
    {
        let server = try await Server("starttls", mechanism: "NONE")
        #expect(await send(to: server, "smtp", user: nil, trusts: false) == .delivered)
        #expect(server.events == ["starttls", "mail"])
        let plain = try await Server("none", mechanism: "NONE")
        #expect(await send(to: plain, "smtp", user: nil, trusts: false) == .delivered)
        #expect(plain.events == ["mail"])
    }

    @Test(arguments: ["none", "refused"])
    func `mail is not sent in the clear if authorities are named, but the server offers or begins no TLS`(
        mode: String
    ) async throws {
        let encrypted = try await Server("starttls", mechanism: "NONE")
        #expect(await send(to: encrypted, "smtp", user: nil) == .delivered)
        #expect(encrypted.events == ["starttls", "mail"])
        let server = try await Server(mode, mechanism: "NONE")
        guard case .failed = await send(to: server, "smtp", user: nil) else {
            Issue.record("it was delivered")
            return
        }
        #expect(server.events == [])
    }

    @Test func `mail without a login fails if the authorities of the setting did not sign the certificate`()
        async throws
    {
        let server = try await Server("starttls", mechanism: "NONE")
        let other = TestCertificate()
        defer { other.remove() }
        try await other.make()
        var configuration = AlertSenderConfiguration()
        configuration.mailServer = "smtp://localhost:\(server.port)"
        configuration.mailAuthorities = other.path
        let message = OutgoingMessage(id: UUID(), subject: "An alert", body: "It fires.", secret: [1])
        let result = await AlertSender(configuration).send(
            message, to: AlertDestination(kind: .email, target: "ops@example.com"))
        guard case .failed = result else {
            Issue.record("it was delivered")
            return
        }
        #expect(!server.events.contains("mail"))
    }

    @Test func `a wrong password fails the delivery, with the reason`() async throws {
        let server = try await Server("starttls")
        guard case .failed(let reason) = await send(to: server, "smtp", password: "wrong") else {
            Issue.record("it was delivered")
            return
        }
        #expect(reason.contains("denied") && !reason.contains("wrong"), "\(reason)")
        #expect(server.events == ["starttls", "auth PLAIN encrypted", "wrong login"])
    }

    @Test(arguments: ["none", "refused"])
    func `the password is not sent to a server that offers or begins no TLS`(mode: String) async throws {
        let server = try await Server(mode)
        guard case .failed = await send(to: server, "smtp") else {
            Issue.record("it was delivered")
            return
        }
        #expect(server.events == [])
    }

    @Test(arguments: [("smtp", "starttls"), ("smtps", "tls")])
    func `the password is not sent to a server with a certificate of an unknown authority`(scheme: String, mode: String)
        async throws
    {
        let server = try await Server(mode)
        guard case .failed(let reason) = await send(to: server, scheme, trusts: false) else {
            Issue.record("it was delivered")
            return
        }
        #expect(reason.contains("certificate"), "\(reason)")
        #expect(server.events.allSatisfy { $0 == "starttls" }, "\(server.events)")
    }

    @Test func `a collector sends its alerts through a server with a login`() async throws {
        let server = try await Server("starttls", mechanism: "LOGIN")
        let app = try await TestApp()
        let store = AlertStore(pool: app.database.owner)
        let collector = try await CollectorProcess(
            conninfo: app.conninfo,
            environment: [
                "AFTERPUSH_ALERTS_SMTP_URL": "smtp://localhost:\(server.port)",
                "AFTERPUSH_ALERTS_SMTP_USER": "alerts@example.com", "AFTERPUSH_ALERTS_SMTP_PASSWORD": "se cret",
                "AFTERPUSH_ALERTS_SMTP_CA": server.certificate.path,
            ])
        let body = EventJSON.body(raw: [EventJSON.raw()])
        #expect(try await TestClient(url: collector.url).post("/v1/events", body, key: app.ingestKey).status == 200)
        let rule = """
            {"report":"conversion","column":"opened","above":0,"every":"1s","deliver":[{"email":"ops@example.com"}]}
            """
        try await store.put(try AlertRule(Array(rule.utf8), name: "opened"), app: app.app.id)
        try await app.waitUntil("the mail") { server.events.contains("mail") }
        #expect(server.events.prefix(3) == ["starttls", "auth LOGIN encrypted", "login"])
        #expect(await collector.stop() == 0)
    }
}
