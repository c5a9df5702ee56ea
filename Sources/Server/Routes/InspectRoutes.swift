import Hummingbird
import Ingest
import Reports

/// Serves `GET /v1/inspect`: what is stored about a notification, a device, an event or a delivery, and how it counts.
struct InspectRoutes: Sendable {
    let authentication: Authentication
    let service: InspectionService
    /// The limit on inspections that run or wait, each of which uses a connection of the reports.
    let limiter: FairShareLimiter

    func add(to router: Router<CollectorContext>) {
        router.get("v1/inspect") { request, context in
            let grant = try await self.authentication.reader(request, context)
            let asked = try InspectionRequest(try request.queryValues)
            let permit = try self.limiter.acquire(
                for: self.authentication.client(grant, request, context), orThrow: .inspectionsTooMany)
            let inspection = try await self.service.inspect(asked, app: grant.appID, name: grant.appName)
            permit.release()
            // It is about one person's device, and changes with each event.
            return Response.json(inspection.json)
        }
    }
}
