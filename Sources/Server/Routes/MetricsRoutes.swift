import Events
import Hummingbird
import Instruments
import NIOCore

/// Serves `GET /metrics`: without a key on loopback under a loopback name, elsewhere with a read
/// key.
struct MetricsRoutes: Sendable {
    let authentication: Authentication
    let families: @Sendable () async -> [MetricFamily]

    func add(to router: Router<CollectorContext>) {
        router.get("metrics") { request, context in
            if !(context.isFromLoopback && !request.wasForwarded && request.isAddressedToLoopback) {
                _ = try await self.authentication.grant(request, context, anyOf: [.read])
            }
            return Response(
                status: .ok, headers: [.contentType: MetricFamily.contentType, .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(string: MetricFamily.text(await self.families()))))
        }
    }
}
