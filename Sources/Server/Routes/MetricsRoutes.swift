import Hummingbird
import Ingest
import Instruments
import NIOCore

/// `GET /metrics`: for whoever sits on the machine itself, and elsewhere for those with a key that reads.
struct MetricsRoutes: Sendable {
    let authentication: Authentication
    let families: @Sendable () async -> [MetricFamily]

    func add(to router: Router<CollectorContext>) {
        router.get("metrics") { request, context in
            if !(context.isFromLoopback && !Self.wasForwarded(request)) {
                _ = try await self.authentication.grant(request, context, anyOf: [.read])
            }
            return Response(
                status: .ok, headers: [.contentType: MetricFamily.contentType, .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(string: MetricFamily.text(await self.families()))))
        }
    }

    /// A proxy on this machine speaks for someone who may be anywhere.
    private static func wasForwarded(_ request: Request) -> Bool {
        request.headers.contains { field in
            let name = field.name.canonicalName
            return ["forwarded", "via", "x-real-ip"].contains(name) || name.hasPrefix("x-forwarded-")
        }
    }
}
