import AfterpushClient
import Foundation
import Glibc

/// Records events as fast as it can and prints the id of each recorded event.
///
///     RecordingProcess DIRECTORY SECONDS [URL KEY]
///
/// With a URL it sends them, too. The exit code is 1 if an event could not be recorded.
@main enum RecordingProcess {
    private struct NowhereTransport: EventTransport {
        struct NoNetwork: Error {}

        func send(_ request: TransportRequest) async throws -> TransportResponse { throw NoNetwork() }
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3, let seconds = Double(arguments[2]) else { exit(2) }
        let isSending = arguments.count == 5
        guard let url = URL(string: isSending ? arguments[3] : "http://127.0.0.1:9") else { exit(2) }
        var configuration = AfterpushConfiguration(
            url: url, key: isSending ? arguments[4] : "none", directory: URL(fileURLWithPath: arguments[1]),
            deviceID: "device-\(getpid())")
        // Events are dropped only by a fault.
        configuration.maximumBytes = 1 << 40
        configuration.delay = 0.05
        configuration.firstRetryDelay = 0.05
        configuration.longestRetryDelay = 0.2
        let client = AfterpushClient(configuration, transport: isSending ? nil : NowhereTransport())
        let end = Date().addingTimeInterval(seconds)
        var number = 0
        while Date() < end {
            number += 1
            let notification = NotificationReference("\(getpid())-\(number)", campaignID: "spring")
            guard let id = try? await client.record(.action("book", notification)) else { exit(1) }
            // One write per line: after a kill a line is complete, or it has no line end.
            let line = id.uuidString + "\n"
            _ = line.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
            // No faster than a collector on the same machine can accept.
            if isSending { try? await Task.sleep(nanoseconds: 1_000_000) }
        }
        if isSending { await client.flush(within: 20) }
    }
}
