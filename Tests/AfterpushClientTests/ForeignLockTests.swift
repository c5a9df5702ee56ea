import Foundation
import Glibc
import Testing

@testable import AfterpushClient

/// Tests locks that a suspended or hostile process never releases.
@Suite(.timeLimit(.minutes(5))) struct ForeignLockTests {
    @Test(arguments: ["sender", "dropped", "SEGMENT.events", "opted-out"])
    func `a lock that another process never releases delays, but stops nothing`(name: String) async throws {
        let directory = try TestDirectory()
        let transport = ScriptedTransport()
        let client = AfterpushClient(directory.configuration { $0.deviceID = nil }, transport: transport)
        try await client.record(.appOpened)
        DropCounter(location: directory.location).add(.age, 1)
        let segment = try #require(directory.location.segments().first)
        if name == "opted-out" { try await client.optOut() }
        let path = directory.location.path
        let file = try OpenFile("\(path)/\(name.replacingOccurrences(of: "SEGMENT", with: segment))", O_RDWR | O_CREAT)
        try file.lock()
        let outcome = try await result(within: 40) {
            if name == "opted-out" {
                await #expect(throws: RecordError.self) { try await client.optIn() }
                return FlushOutcome.completed
            }
            let id = try #require(try await client.record(.appOpened))
            let outcome = await client.flush(within: 20)
            #expect(transport.acknowledged.contains(id))
            try await client.optOut()
            #expect(directory.location.segments().isEmpty)
            return outcome
        }
        #expect(outcome == .completed)
    }
}
