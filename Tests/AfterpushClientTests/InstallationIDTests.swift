import Foundation
import Glibc
import Testing

@testable import AfterpushClient

/// Tests the random device id of an app that has none of its own.
struct InstallationIDTests {
    @Test func `an id that can't be read for now is kept`() throws {
        let directory = try TestDirectory()
        let file = InstallationID(location: directory.location)
        let id = try file.value()
        // As on a locked phone: the directory can be changed, the file can't be read.
        #expect(chmod(directory.location.path, 0o777) == 0 && chmod(directory.location.installationID, 0) == 0)
        let error = withoutPrivileges { () -> RecordError? in
            do throws(RecordError) {
                _ = try file.value()
                return nil
            } catch { return error }
        }
        #expect(error != nil)
        #expect(chmod(directory.location.installationID, 0o600) == 0)
        #expect(try file.value() == id)
    }

    /// Calls `body` on a thread that opens files as a user without privileges, even if root runs the tests.
    private func withoutPrivileges<Value: Sendable>(_ body: @escaping @Sendable () -> Value) -> Value? {
        let value = Locked<Value?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            // Linux applies it to this thread alone. Swift's module of glibc leaves it out.
            typealias Change = @convention(c) (uid_t) -> Int32
            if geteuid() == 0, let change = dlsym(nil, "setfsuid") {
                _ = unsafeBitCast(change, to: Change.self)(65_534)
            }
            let result = body()
            value.withLock { $0 = result }
            isDone.signal()
        }
        isDone.wait()
        return value.withLock { $0 }
    }
}
