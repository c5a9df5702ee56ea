import AfterpushWire
import Declarations
import Foundation
import Storage
import TestSupport
import Testing

/// Tests the dashboard's files and addresses over HTTP.
@Suite struct DashboardTests {
    private static let shared = Task { try await HTTPTestCollector(environment: [:]) }
    private static let pages = [
        "/", "/campaigns/a%2Fb", "/categories/x", "/live", "/reports", "/reports/conversion", "/health",
    ]
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    private let collector: HTTPTestCollector
    private let curl: Curl

    init() async throws {
        collector = try await Self.shared.value
        curl = Curl(collector.process.url)
    }

    private func expectSafe(_ response: Curl.Response, _ path: String) {
        #expect(response.headers["content-security-policy"] == Self.policy, "\(path)")
        #expect(response.headers["x-content-type-options"] == "nosniff", "\(path)")
        #expect(response.headers["referrer-policy"] == "same-origin", "\(path)")
    }

    @Test func `all pages need a session, and lead to the sign-in form and back`() async throws {
        let session = try await curl.post("/login", ["key": collector.app.readKey]).session
        for path in Self.pages {
            let path = path + "?from=2026-11-01&campaign=a%20b"
            let stranger = try await curl(path)
            #expect(stranger.status == 303, "\(path)")
            let escaped = path.replacing("%", with: "%25").replacing("/", with: "%2F").replacing("?", with: "%3F")
                .replacing("=", with: "%3D").replacing("&", with: "%26")
            #expect(stranger.headers["location"] == "/login?next=\(escaped)", "\(stranger)")
            let page = try await curl(path, session: session)
            #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8", "\(path)")
            #expect(page.headers["cache-control"] == "no-store")
            #expect(page.body.contains(/"\/assets\/[0-9a-f]{16}\/app\.js"/) && !page.body.contains("\"/assets/app.js"))
            for response in [stranger, page] { expectSafe(response, path) }
            #expect(try await curl(path, session: "made-up").status == 303)
        }
        let form = try await curl("/login?next=%2Flive%3Fa%3D1")
        #expect(
            form.status == 200 && form.body.contains("value=\"/live?a=1\"") && form.body.contains("data-error=\"\""))
        expectSafe(form, "/login")
    }

    @Test func `files are compressed and cached`() async throws {
        for (name, type) in [
            ("app.js", "text/javascript; charset=utf-8"), ("styles.css", "text/css; charset=utf-8"),
            ("favicon.svg", "image/svg+xml"), ("chart.js", "text/javascript; charset=utf-8"),
        ] {
            let plain = try await curl("/assets/\(name)")
            #expect(plain.status == 200 && plain.headers["content-type"] == type, "\(name)")
            #expect(plain.headers["cache-control"] == "no-cache" && plain.headers["content-encoding"] == nil)
            expectSafe(plain, name)
            let zipped = try await curl("/assets/\(name)", headers: [], "--compressed")
            #expect(zipped.body == plain.body, "\(name)")
            #expect(zipped.headers["content-encoding"] == "gzip" && zipped.headers["vary"] == "Accept-Encoding")
            let tag = try #require(plain.headers["etag"])
            #expect(zipped.headers["etag"] == tag)
            let again = try await curl("/assets/\(name)", headers: ["If-None-Match: \(tag)"])
            #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag)
        }
        for path in ["/assets/none.js", "/assets/..%2Findex.html", "/assets/index.html", "/assets/"] {
            #expect(try await curl(path).status == 404, "\(path)")
        }
        #expect(try await curl("/assets/app.js", headers: [], "-I").status == 200)
    }

    @Test func `a file's address has a digest of all files, so that browsers keep it`() async throws {
        let form = try await curl("/login")
        let digest = String(try #require(form.body.firstMatch(of: /"\/assets\/([0-9a-f]{16})\/styles\.css"/)).1)
        for name in ["styles.css", "app.js", "chart.js", "favicon.svg"] {
            let file = try await curl("/assets/\(digest)/\(name)")
            let plain = try await curl("/assets/\(name)")
            #expect(file.status == 200 && file.body == plain.body, "\(name)")
            #expect(file.headers["cache-control"] == "public, max-age=31536000, immutable", "\(name)")
            expectSafe(file, name)
        }
        // The page of another version, during an upgrade.
        let other = try await curl("/assets/0123456789abcdef/app.js")
        #expect(other.status == 200 && other.headers["cache-control"] == "no-store")
        #expect(try await curl("/assets/\(digest)/none.js").status == 404)
    }

    @Test func `an unknown address shows a browser the page, and a program a problem document`() async throws {
        let session = try await curl.post("/login", ["key": collector.app.readKey]).session
        let browser = ["Accept: text/html,application/xhtml+xml,*/*;q=0.8"]
        for path in ["/nothing", "/campaigns/a/b", "/reports/", "/nothing?tz=x"] {
            let page = try await curl(path, session: session, headers: browser)
            #expect(page.status == 404 && page.body.contains("/app.js"), "\(path): \(page)")
            expectSafe(page, path)
            let stranger = try await curl(path, headers: browser)
            #expect(
                stranger.status == 303 && stranger.headers["location"]?.hasPrefix("/login?next=") == true, "\(path)")
            for accept in ["*/*", "application/json"] {
                let problem = try await curl(path, session: session, headers: ["Accept: \(accept)"])
                #expect(
                    problem.headers["content-type"] == "application/problem+json" && problem.status == 404, "\(path)")
            }
        }
        for path in ["/v1/nothing", "/assets/none.js", "/v1/reports/none"] {
            let problem = try await curl(path, session: session, headers: browser)
            #expect(problem.headers["content-type"] == "application/problem+json" && problem.status == 404, "\(path)")
        }
        #expect(try await curl("/nothing", headers: browser, "-X", "POST").status == 404)
    }

    @Test func `what reading routes return is compressed for those who accept it, and the same`() async throws {
        let curl = Curl(collector.process.url, ["-H", "Authorization: Bearer \(collector.app.readKey)"])
        try await collector.app.store((0..<400).map { EventJSON.event(["campaign_id": "c-\($0)"]) })
        try await collector.app.waitForRollups()
        for path in [
            "/v1/reports", "/v1/metrics/definitions", "/v1/reports/conversion",
            "/v1/export/events?format=ndjson", "/v1/export/events?format=csv",
        ] {
            let plain = try await curl(path)
            #expect(plain.status == 200 && plain.headers["content-encoding"] == nil, "\(path)")
            #expect(plain.headers["vary"]?.contains("Accept-Encoding") == true, "\(path): \(plain.headers)")
            let zipped = try await curl(path, headers: [], "--compressed")
            #expect(zipped.headers["content-encoding"] == "gzip", "\(path): \(zipped.headers)")
            let times = /"as_of":"[^"]*"/
            #expect(zipped.body.replacing(times, with: "") == plain.body.replacing(times, with: ""), "\(path)")
            let size = try await curl(
                path, headers: ["Accept-Encoding: gzip"], "-o", "/dev/null", "-D", "-", "-w", "%{size_download}")
            let bytes = try #require(Int(size.body), "\(size)")
            #expect(bytes * 2 < plain.body.utf8.count, "\(path): \(bytes) of \(plain.body.utf8.count)")
        }
        #expect(try await curl("/session", headers: [], "--compressed").headers["content-encoding"] == nil)
        // Its length would tell how much of a secret address is like a name in it.
        let alerts = try await curl("/v1/alerts", headers: [], "--compressed")
        #expect(alerts.body.utf8.count > 1_024 && alerts.headers["content-encoding"] == nil, "\(alerts)")
    }

    @Test func `all files of a page have less than 400 KB`() async throws {
        let page = try String(contentsOf: Program.root.appending(path: "dashboards/web/index.html"), encoding: .utf8)
        let names = Set(page.matches(of: /"\/assets\/([^"]+)"/).map { String($0.1) } + ["chart.js"])
        var sum = page.utf8.count
        for name in names {
            let response = try await curl(
                "/assets/\(name)", headers: ["Accept-Encoding: gzip"], "-o", "/dev/null", "-D", "-")
            sum += try #require(response.headers["content-length"].flatMap { Int($0) }, "\(name): \(response)")
        }
        #expect(names.count > 20 && sum < 200_000, "\(sum) bytes; the rest is for reports")
    }

    @Test func `the SQL of every report, including custom ones, is available`() async throws {
        let app = try await TestApp()
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        #expect(try await Program.run(["reports", "new", "mine", "--reports", directory]).status == 0)
        let collector = try await CollectorProcess(conninfo: app.conninfo, arguments: ["--reports", directory])
        let curl = Curl(collector.url, ["-H", "Authorization: Bearer \(app.readKey)"])
        for (name, file) in [
            ("mine", directory + "/mine.sql"),
            ("conversion", Program.root.appending(path: "sql/reports/conversion.sql").path),
        ] {
            let response = try await curl("/v1/reports/\(name)/sql")
            #expect(response.status == 200 && response.headers["content-type"] == "text/plain; charset=utf-8")
            #expect(response.body == (try String(contentsOfFile: file, encoding: .utf8)), "\(name)")
        }
        #expect(try await curl("/v1/reports/none/sql").status == 404)
        #expect(try await Curl(collector.url)("/v1/reports/mine/sql").status == 401)
        await collector.stop()
    }

    @Test func `without Chart.js the log names the package to install, and everything else works`() async throws {
        let app = try await TestApp()
        let collector = try await CollectorProcess(
            conninfo: app.conninfo, environment: ["AFTERPUSH_CHARTS": "/nowhere/chart.js"])
        #expect(collector.errorOutput.contains("install libjs-chart.js"))
        let curl = Curl(collector.url)
        #expect(try await curl("/assets/chart.js").status == 404)
        #expect(try await curl("/assets/app.js").status == 200)
        await collector.stop()
    }

    @Test func `under TLS the cookie has the prefix __Host-, responses have HSTS, and HTTP/2 behaves the same`()
        async throws
    {
        let directory = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (certificate, key) = (directory + "/cert.pem", directory + "/key.pem")
        let made = try await Program.run(
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj",
                "/CN=localhost", "-days", "2", "-keyout", key, "-out", certificate,
            ], program: URL(filePath: "/usr/bin/openssl"))
        #expect(made.status == 0, "\(made.error)")
        let app = try await TestApp()
        let collector = try await CollectorProcess(
            conninfo: app.conninfo,
            environment: ["AFTERPUSH_TLS_CERTIFICATE": certificate, "AFTERPUSH_TLS_KEY": key])
        let url = "https://127.0.0.1:\(collector.port)"
        let strict = "max-age=31536000"
        for options in [["--http1.1"], ["--http2"]] {
            let curl = Curl(url, options + ["-k"])
            let response = try await curl.post("/login", ["key": app.readKey], headers: ["Origin: \(url)"])
            #expect(
                response.status == 303 && response.headers["set-cookie"]?.hasSuffix("; Secure") == true, "\(response)")
            let other = try await curl.post("/login", ["key": app.readKey], headers: ["Origin: https://evil.example"])
            #expect(other.status == 403)
            #expect(response.headers["set-cookie"]?.hasPrefix("__Host-afterpush_session=") == true)
            for response in [response, other, try await curl("/nowhere"), try await curl("/livez")] {
                #expect(response.headers["strict-transport-security"] == strict, "\(response)")
            }
            let cookie = "Cookie: __Host-afterpush_session=\(response.session ?? "")"
            #expect(try await curl("/session", headers: [cookie]).status == 200)
            // Another host of the domain could have set a cookie with a plain name.
            #expect(try await curl("/session", session: response.session).status == 401)
            let live = try await Program.run(
                ["-sSk", "--max-time", "3", "-H", cookie, url + "/v1/live"] + options,
                program: URL(filePath: "/usr/bin/curl"))
            #expect(live.output.contains("data: {"), "\(live)")
        }
        await collector.stop()
    }

    @Test func `the demo prints an address that signs in a single time`() async throws {
        let app = try await TestApp(named: "demo")
        // The demo finds the data of an earlier run.
        let categories = try CategorySet(json: Data(#"{"categories":[{"identifier":"x","actions":[]}]}"#.utf8))
        _ = try await app.registry.putCategories(
            categories, app: app.app, at: Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 * 1_000_000)))
        let demo = try DemoProcess(conninfo: app.conninfo)
        let address = try await demo.text(matching: /http:\/\/127\.0\.0\.1:[0-9]+\/login\?token=[A-Za-z0-9_\-]+/)
        let path = try #require(address.firstMatch(of: /:([0-9]+)(\/.*)/))
        let key = try await demo.text(matching: /ap_ingest_[A-Za-z0-9_\-]+/)
        let event =
            #"{"type":"track","event":"Application Opened","messageId":"1","userId":"u","#
            + #""timestamp":"\#(Date.now.formatted(.iso8601))"}"#
        let posted = try await TestClient(url: "http://127.0.0.1:\(path.1)").post("/v1/t", Data(event.utf8), key: key)
        #expect(posted.status == 200 && posted.text.contains(#""accepted":1"#), "\(posted.text)")
        let curl = Curl("http://127.0.0.1:\(path.1)")
        // The token itself is valid, and stays so.
        for header in ["X-Forwarded-For: 1.2.3.4", "Host: evil.example"] {
            let refused = try await curl(String(path.2), headers: [header])
            #expect(refused.status == 401 && refused.session == nil, "\(header)")
        }
        let looked = try await curl(String(path.2), "--head")
        #expect(looked.status == 200 && looked.session == nil, "\(looked)")
        let fetched = try await curl(String(path.2), headers: ["Sec-Purpose: prefetch;prerender"])
        #expect(fetched.status == 200 && fetched.session == nil, "\(fetched)")
        let opened = try await curl(String(path.2))
        #expect(opened.status == 303 && opened.headers["location"] == "/", "\(opened)")
        #expect(try await curl("/session", session: opened.session).body.contains("\"app\":\"demo\""))
        // Events keep arriving while the demo runs, and end with it.
        let trickled = "select count(*) from afterpush.events where campaign_id = 'order-update'"
        try await app.waitUntil("events arrive") { Int(try await app.value(trickled) ?? "") ?? 0 > 2 }
        let responses =
            "select count(*) from afterpush.events where kind = 'delivered' and notification_id like 'order-%'"
        try await app.waitUntil("devices respond") { try await app.value(responses) != "0" }
        let again = try await curl(String(path.2))
        #expect(again.status == 401 && again.session == nil && again.body.contains("data-error=\"token\""))
        await demo.stop()
    }
}
