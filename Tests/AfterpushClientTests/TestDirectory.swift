import Foundation

@testable import AfterpushClient

/// A directory for one test, removed when the test ends.
final class TestDirectory: Sendable {
    let url: URL

    var location: QueueLocation { QueueLocation(url) }

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("afterpush-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func queue(
        maximumBytes: Int = 1 << 30, maximumAge: Double = 1e9, now: @escaping @Sendable () -> Sample.Time = Clock.now
    ) -> DiskQueue {
        DiskQueue(location, maximumBytes: maximumBytes, maximumAge: maximumAge, now: now)
    }

    /// Lets a queue remove its segments. It stops after two seconds, which may not suffice on a busy machine.
    func removeSegments(by queue: DiskQueue) {
        for _ in 0..<20 where !location.segments().isEmpty { queue.cleanUp(thoroughly: true) }
    }

    func configuration(_ change: (inout AfterpushConfiguration) -> Void = { _ in }) -> AfterpushConfiguration {
        var configuration = AfterpushConfiguration(
            url: Sample.url, key: "ap_ingest_test", directory: url, deviceID: "d1")
        configuration.maximumBytes = 1 << 40
        // Tests decide when to send.
        configuration.delay = 3_600
        configuration.firstRetryDelay = 0.01
        configuration.longestRetryDelay = 0.05
        change(&configuration)
        return configuration
    }
}
