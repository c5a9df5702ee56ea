import Testing
import Timing

struct TimeoutTests {
    private struct Failure: Error {}

    @Test func `work that ends in time returns its result`() async throws {
        #expect(try await withTimeout(.seconds(60)) { 7 } == 7)
        await #expect(throws: Failure.self) { try await withTimeout(.seconds(60)) { throw Failure() } }
    }

    @Test func `work that exceeds its time limit is cancelled, and the caller goes on`() async {
        let (wasCancelled, continuation) = AsyncStream<Bool>.makeStream()
        await #expect(throws: TimeoutError.self) {
            try await withTimeout(.milliseconds(1)) {
                try? await Task.sleep(for: .seconds(3_600))
                continuation.yield(Task.isCancelled)
                continuation.finish()
            }
        }
        #expect(await wasCancelled.first { _ in true } == true)
    }

    @Test func `cancelling the caller ends the wait, though the work goes on`() async {
        let (started, continuation) = AsyncStream<Void>.makeStream()
        let (release, releasing) = AsyncStream<Void>.makeStream()
        let caller = Task {
            try await withTimeout(.seconds(3_600)) {
                continuation.finish()
                // Uninterruptible work: it ignores cancellation.
                await Task.detached { for await _ in release {} }.value
            }
        }
        for await _ in started {}
        caller.cancel()
        await #expect(throws: CancellationError.self) { try await caller.value }
        releasing.finish()
    }
}
