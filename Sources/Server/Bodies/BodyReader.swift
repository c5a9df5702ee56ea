import Events
import HTTPTransport
import Hummingbird
import NIOCore
import Shares
import Zlib

/// Reads and decompresses the bodies of requests, within the limits for one body and for all bodies together.
struct BodyReader: Sendable {
    /// The most bytes of one body, both as sent and decompressed.
    let limit: Int
    let memory: BodyMemory
    /// The turns of clients to have a large body decompressed and read.
    let turns: ProcessorTurns
    /// Counts refused bodies, if they would have been events.
    var refusals: EventRefusals?
    /// Whether gzip is recognized by its first bytes, for browsers' SDKs that don't state it.
    var findsGzip = false

    /// Returns a reader of bodies of at most this size.
    func limited(to bytes: Int) -> BodyReader {
        BodyReader(
            limit: min(limit, bytes), memory: memory, turns: turns, refusals: refusals, findsGzip: findsGzip)
    }

    /// The bytes that are decompressed at once, and in a turn: they become at most 256 KiB, and a hundred times as many.
    private static let smallPiece = 256
    private static let largePiece = 16 * 1024

    /// The memory of one body.
    private struct Holding {
        let permit: FairShareLimiter.Permit
        let client: ResourceClient
        let context: CollectorContext
    }

    /// Calls `use` with the whole body, decompressed.
    ///
    /// - Parameter client: the client on whose account the body is in memory, until `use` returns.
    /// - Throws: a problem with status 400, 408, 413, 415 or 503 if the body can't be read; the errors of `use`.
    func withBody<Result: Sendable>(
        of request: Request, _ context: CollectorContext, from client: ResourceClient,
        _ use: ([UInt8]) async throws -> Result
    ) async throws -> Result {
        let coding = try ContentCoding(header: request.headers[.contentEncoding])
        let length = request.headers.value(of: .contentLength).flatMap { Int($0) }
        guard (length ?? 0) <= limit else { throw Problem.bodyTooLarge(limit) }
        if request.headers[.expect]?.lowercased() == "100-continue" { try await context.sendContinue() }
        let holding = Holding(permit: memory.permit(for: client), client: client, context: context)
        defer { holding.permit.release() }
        let body: [UInt8]
        if let format = coding.format {
            body = try await compressed(request.body, Inflater(format, limit: limit), holding)
        } else {
            let plain = try await plain(request.body, length: length, holding)
            body = findsGzip && plain.starts(with: [0x1F, 0x8B, 0x08]) ? try await inflated(plain, holding) : plain
        }
        return try await use(body)
    }

    private func plain(_ parts: RequestBody, length: Int?, _ holding: Holding) async throws -> [UInt8] {
        var body: [UInt8] = []
        for try await part in parts {
            guard body.count + part.readableBytes <= limit else { throw Problem.bodyTooLarge(limit) }
            // The bytes that were received count, not those that were announced.
            try hold(part.readableBytes, holding)
            if body.isEmpty, let length { body.reserveCapacity(min(length, max(part.readableBytes, 64 * 1024))) }
            body.append(contentsOf: part.readableBytesView)
        }
        guard length == nil || length == body.count else { throw Problem.bodyIncomplete }
        return body
    }

    private func compressed(_ parts: RequestBody, _ inflater: Inflater, _ holding: Holding) async throws -> [UInt8] {
        var sent = 0
        for try await part in parts {
            sent += part.readableBytes
            guard sent <= limit else { throw Problem.bodyTooLarge(limit) }
            try await inflate(Array(part.readableBytesView), with: inflater, holding)
            holding.context.bodyWasDecompressed(to: inflater.output.count)
        }
        return try inflater.finish()
    }

    /// Decompresses a body that is in memory as it was sent.
    private func inflated(_ body: [UInt8], _ holding: Holding) async throws -> [UInt8] {
        let inflater = Inflater(.gzip, limit: limit)
        try await inflate(body, with: inflater, holding)
        return try inflater.finish()
    }

    /// Decompresses the next part of a body, all but its beginning when it is the client's turn: a few bytes can become
    /// megabytes, and the sender can repeat them even if they are refused.
    private func inflate(_ part: [UInt8], with inflater: Inflater, _ holding: Holding) async throws {
        var position = 0
        func write(_ count: Int) throws {
            let end = min(position + count, part.count)
            let before = inflater.output.count
            try part[position..<end].withUnsafeBytes { try inflater.write($0) }
            try hold(inflater.output.count - before, holding)
            position = end
        }
        while position < part.count, ProcessorTurns.readsAtOnce(inflater.output.count) { try write(Self.smallPiece) }
        while position < part.count { try await turns.run(for: holding.client) { try write(Self.largePiece) } }
    }

    private func hold(_ count: Int, _ holding: Holding) throws {
        do throws(FairShareLimiter.Shares.Refusal) {
            try holding.permit.take(count)
        } catch {
            refusals?.record(.memory, error, holding.client, holding.context.logger)
            throw Problem.bodiesTooMany.explained(by: error)
        }
    }
}

/// Reads a body that is a single JSON document.
struct JSONBody: Sendable {
    let bodies: BodyReader

    /// Reads the body of a request, and returns what `use` makes of it when it is the client's turn.
    func withBody<Result: Sendable>(
        of request: Request, _ context: CollectorContext, from client: ResourceClient,
        _ use: ([UInt8]) throws -> Result
    ) async throws -> Result {
        guard try BodyFormat(contentType: request.headers[.contentType]) == .json else {
            throw Problem.unsupportedMediaType
        }
        return try await bodies.withBody(of: request, context, from: client) { body in
            try await bodies.turns.read(body.count, for: client) { try use(body) }
        }
    }
}

extension BodyFormat {
    /// Determines the format of a body from its `Content-Type`, by default JSON.
    init(contentType: String?) throws(Problem) {
        // Nearly all requests state it so, and looking at each letter takes longer than reading an event.
        if contentType == "application/json" {
            self = .json
            return
        }
        let type = contentType?.prefix { $0 != ";" }.split(separator: " ").first?.lowercased()
        switch type {
        // Browsers use the last two for requests that must not be preceded by a CORS preflight.
        case nil, "application/json", "text/plain", "application/x-www-form-urlencoded": self = .json
        case "application/x-ndjson", "application/ndjson", "application/jsonl": self = .ndjson
        default: throw Problem.unsupportedMediaType
        }
    }
}
