import Foundation
import Testing

@testable import AfterpushClient

struct ConfigurationTests {
    @Test(arguments: [.infinity, .nan, -1, 0, 1e300, .leastNonzeroMagnitude] as [Double])
    func `invalid numbers in the configuration do not crash the app`(number: Double) async throws {
        let directory = try TestDirectory()
        let transport = ScriptedTransport()
        let configuration = directory.configuration {
            $0.batchEvents = number > 1 ? .max : .min
            $0.maximumBytes = .max
            $0.maximumAge = .infinity
            $0.requestTimeout = number
            $0.firstRetryDelay = number
            $0.longestRetryDelay = number
        }
        let client = AfterpushClient(configuration, transport: transport)
        try await client.record(.appOpened)
        let outcome = await client.flush(within: number)
        #expect(number > 1 ? outcome == .completed || outcome == .waiting : true)
        var changed = configuration
        changed.maximumAge = number
        changed.delay = number
        changed.maximumBytes = .min
        await AfterpushClient(changed, transport: transport).flush(within: 1)
    }

    @Test func `an infinite delay means that only flush sends`() async throws {
        let directory = try TestDirectory()
        let transport = ScriptedTransport()
        let client = AfterpushClient(
            directory.configuration {
                $0.delay = .infinity
                $0.batchEvents = 2
            }, transport: transport)
        for _ in 0..<5 { try await client.record(.appOpened) }
        try await Task.sleep(for: .milliseconds(50))
        #expect(transport.posts.isEmpty)
        #expect(await client.flush() == .completed)
        #expect(transport.acknowledged.count == 5)
    }
}
