extension Collector {
    /// Takes events like `run`, and has somebody do something with it once it listens. What that runs into ends it.
    ///
    /// - Parameter operation: gets the port. The collector goes on after it, unless it calls `stop`.
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
