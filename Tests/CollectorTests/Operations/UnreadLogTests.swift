import Foundation
import Glibc
import TestSupport
import Testing

/// Tests a collector whose standard error is a pipe that is read late, or not at all.
@Suite struct UnreadLogTests {
    /// A pipe that holds a page.
    private final class Pipe {
        let path = FileManager.default.temporaryDirectory.path + "/afterpush-\(UUID().uuidString.prefix(8)).pipe"
        /// `F_SETPIPE_SZ`, which Swift's module of glibc leaves out.
        private static let setSize: Int32 = 1_031
        private let descriptor: Int32
        private var bytes: [UInt8] = []

        init() throws {
            mkfifo(path, 0o600)
            // Open for reading and writing, so that opening it does not wait for another program.
            descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0, fcntl(descriptor, Self.setSize, 4_096) >= 0 else {
                throw Program.Failed(message: "no pipe: \(String(cString: strerror(errno)))")
            }
        }

        deinit {
            close(descriptor)
            unlink(path)
        }

        /// Reads what is there, and returns everything so far.
        func read() -> String {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = Glibc.read(descriptor, &buffer, buffer.count)
                guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
                bytes += buffer[..<count]
            }
        }
    }

    @Test func `a collector whose log is not read answers requests and ends, and no line is lost that is read late`()
        async throws
    {
        let app = try await TestApp()
        let pipe = try Pipe()
        let port = try Sockets.freePort()
        let settings = ["AFTERPUSH_SPOOL_BYTES": "0", "AFTERPUSH_LOG_LEVEL": "debug"]
        let process = try ChildProcess(
            Program.url, ["serve", "--port", String(port), "--database-url", app.conninfo],
            environment: ProcessInfo.processInfo.environment.merging(settings) { $1 }, error: URL(filePath: pipe.path))
        ExitCleanup.register(collector: process.processIdentifier)
        defer {
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            ExitCleanup.forget(collector: process.processIdentifier)
        }
        let client = TestClient(url: "http://127.0.0.1:\(port)", timeout: 10)
        try await app.waitUntil("it listens") { (try? await client.get("/livez", key: nil))?.status == 200 }
        func request(_ path: String) async throws {
            for _ in 0..<100 { #expect(try await client.get(path, key: nil).status == 200) }
        }
        try await request("/openapi.json")
        try await app.waitUntil("the lines") { pipe.read().ranges(of: "/openapi.json").count == 100 }
        try await request("/livez")
        let metrics = try MetricsText(try await client.get("/metrics", key: nil).text)
        #expect(metrics["afterpush_log_lines_dropped_total"] == 0)
        kill(process.processIdentifier, SIGTERM)
        try await app.waitUntil("its end") { !process.isRunning }
        #expect(process.terminationStatus == 0)
    }
}
