import Events
package import Ingest

extension EventGroup {
    /// Everything that has to be kept to store the group later, in the order in which its requests came.
    ///
    /// Events that stand in the group twice are in it once, as they were answered.
    ///
    /// - Parameter limit: bytes of an entry, unless one event alone has more.
    package func packed(limit: Int) -> [PackedEntry] {
        var packers = pending.map {
            SpoolEntryPacker(appID: $0.appID, receivedAt: $0.receivedAt, limit: limit)
        }
        for (event, origin) in zip(events, origins) {
            let request = pending[origin.submission]
            let position = request.validated.positions[origin.place]
            packers[origin.submission].add(event, text: request.submission.text(at: position))
        }
        for (submission, request) in pending.enumerated() {
            for rejection in request.validated.rejections { packers[submission].add(rejection) }
        }
        return packers.indices.flatMap { packers[$0].finish() }
    }
}
