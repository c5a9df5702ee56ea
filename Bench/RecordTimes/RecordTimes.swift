import AfterpushClient
import AfterpushWire
import Foundation

/// Records events one after the other, as an app without a network does, and says how long each took; then sends them.
///
///     RecordTimes DIRECTORY COUNT URL KEY
///
/// Prints JSON: milliseconds until `record` returned, and the most that the process had resident in KiB after a tenth of
/// the events, after all, and when all were sent.
@main enum RecordTimes {
    private struct NowhereTransport: EventTransport {
        struct NoNetwork: Error {}

        func send(_ request: TransportRequest) async throws -> TransportResponse { throw NoNetwork() }
    }

    private struct Result: Encodable {
        var p50_ms = 0.0
        var p99_ms = 0.0
        var max_ms = 0.0
        var early_kib = 0
        var late_kib = 0
        var sent_kib = 0
        var accepted = 0
    }

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let count = Int(arguments[2]), count >= 100, let url = URL(string: arguments[3])
        else { exit(2) }
        var configuration = AfterpushConfiguration(
            url: url, key: arguments[4], directory: URL(fileURLWithPath: arguments[1]))
        configuration.details = { .current() }
        // Nothing goes for its size.
        configuration.maximumBytes = 1 << 30
        var result = try await record(count, AfterpushClient(configuration, transport: NowhereTransport()))
        let client = AfterpushClient(configuration)
        guard await client.flush(within: 300) == .completed else { exit(1) }
        result.sent_kib = mostResidentKiB
        result.accepted = await client.counts.accepted
        FileHandle.standardOutput.write(try JSONEncoder().encode(result) + Data("\n".utf8))
    }

    private static func record(_ count: Int, _ client: AfterpushClient) async throws -> Result {
        var result = Result()
        var times: [Duration] = []
        times.reserveCapacity(count)
        for number in 0..<count {
            if number == count / 10 { result.early_kib = mostResidentKiB }
            let notification = NotificationReference(
                "recorded-\(number)", campaignID: "recorded", variant: "b", categoryID: "flash-sale", trigger: .push)
            let start = ContinuousClock.now
            try await client.record(.action("book", notification))
            times.append(ContinuousClock.now - start)
        }
        result.late_kib = mostResidentKiB
        times.sort()
        result.p50_ms = times[count / 2] / .milliseconds(1)
        result.p99_ms = times[count * 99 / 100] / .milliseconds(1)
        result.max_ms = times[count - 1] / .milliseconds(1)
        return result
    }

    private static var mostResidentKiB: Int {
        let status = FileManager.default.contents(atPath: "/proc/self/status")
            .map { String(decoding: $0, as: UTF8.self) }
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
