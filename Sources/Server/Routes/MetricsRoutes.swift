import Events
import Hummingbird
import Instruments
import NIOCore

/// `GET /metrics`: for whoever sits on the machine itself, and elsewhere for those with a key that reads.
struct MetricsRoutes: Sendable {
    let authentication: Authentication
    let families: @Sendable () async -> [MetricFamily]

    func add(to router: Router<CollectorContext>) {
        router.get("metrics") { request, context in
            if !(context.isFromLoopback && !request.wasForwarded) {
                _ = try await self.authentication.grant(request, context, anyOf: [.read])
            }
            return Response(
                status: .ok, headers: [.contentType: MetricFamily.contentType, .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(string: MetricFamily.text(await self.families()))))
        }
    }
}
