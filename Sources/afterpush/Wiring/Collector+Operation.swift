extension Collector {
    /// Runs the collector, and performs an operation once it listens. An error of the operation stops the collector.
    ///
    /// - Parameter operation: Receives the port. The collector keeps running afterwards, unless the operation calls `stop`.
    func run(_ operation: (_ port: Int) async throws -> Void) async throws {
        let (ports, port) = AsyncStream<Int>.makeStream()
        try await withThrowingTaskGroup { group in
            group.addTask {
                defer { port.finish() }
                try await run(onRunning: {
                    port.yield($0)
                    port.finish()
                })
            }
            for await port in ports {
                do {
                    try await operation(port)
                } catch {
                    stop()
                    try await group.waitForAll()
                    throw error
                }
            }
            try await group.waitForAll()
        }
    }
}
