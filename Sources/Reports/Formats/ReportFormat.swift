/// Takes a document piece by piece. The next piece is made when it returns, so a slow reader holds the writer back.
package typealias ReportSink = nonisolated(nonsending) ([UInt8]) async throws -> Void

/// A way to write a result down.
package protocol ReportFormat: Sendable {
    /// With its parameters, for `Content-Type`.
    var contentType: String { get }

    /// Writes row by row, in pieces of about 16 KiB, so that no second copy of the whole result is made.
    nonisolated(nonsending) func write(_ result: ReportResult, into sink: ReportSink) async throws
}
