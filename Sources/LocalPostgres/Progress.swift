import Logging

/// Says that something is still under way, for those who wait for it.
enum Progress {
    /// Runs `work`; after five seconds, and every five from then on, a line says what is being waited for.
    static func report<T: Sendable>(
        _ what: String, _ logger: Logger, _ work: @Sendable () async throws -> T
    ) async throws -> T {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for count in 1... {
                    try await Task.sleep(for: .seconds(5))
                    logger.notice("still \(what)", metadata: ["seconds": "\(count * 5)"])
                }
            }
            defer { group.cancelAll() }
            return try await work()
        }
    }
}
