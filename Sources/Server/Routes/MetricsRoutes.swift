import Events
import Hummingbird
import Instruments
import NIOCore

/// Serves `GET /metrics`. A program on this machine that asks under a loopback name needs no key; others need a read key.
struct MetricsRoutes: Sendable {
    let authentication: Authentication
    let families: @Sendable () async -> [MetricFamily]

    func add(to router: Router<CollectorContext>) {
        router.get("metrics") { request, context in
            if !self.authentication.clients.isLocal(request.head, peer: context.peer) {
                _ = try await self.authentication.grant(request, context, anyOf: [.read])
            }
            return Response(
                status: .ok, headers: [.contentType: MetricFamily.contentType, .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(string: MetricFamily.text(await self.families()))))
        }
    }
}
