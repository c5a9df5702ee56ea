import Testing

/// Starts one cluster for all tests of a suite.
struct ThrowawayClusterTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await ThrowawayCluster.with { cluster in
            try await ThrowawayCluster.$current.withValue(cluster) { try await function() }
        }
    }
}

extension Trait where Self == ThrowawayClusterTrait {
    static var throwawayCluster: Self { ThrowawayClusterTrait() }
}
