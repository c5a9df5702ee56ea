import JSON

/// OpenTelemetry's logs over HTTP, in JSON or Protocol Buffers. Records that are events of notifications are stored.
package enum OpenTelemetryLogs: Dialect {
    package static let family = DialectFamily.otlp
    /// The last path is that of PostHog's clients, whose logs have the same form.
    package static let routes = ["/v1/logs", "/otlp/v1/logs", "/i/v1/logs"].map { DialectRoute("POST", $0) }

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody {
        let records =
            switch OpenTelemetryEncoding(request) {
            case .json: try LogRecords(json: request.body)
            case .protobuf: try LogRecords(protobuf: request.body)
            case nil: throw .unsupportedMediaType("the type must be application/x-protobuf or application/json")
            }
        // What is counted is the number of records; what they hold is decoded when their name is known to matter.
        var body = ForeignBody(events: Array(repeating: try .body(Array("{}".utf8)), count: records.count))
        body.found = records
        return body
    }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission {
        var submission = DialectSubmission()
        guard let records = body.found as? LogRecords else { return submission }
        var reader = LogRecordReader(records, body: request.body, settings)
        reader.read(into: &submission)
        return submission
    }

    /// An empty response, or one that says how many records were rejected, which the client must not send again.
    package static func answer(_ outcome: DialectOutcome, to request: DialectRequest) -> DialectAnswer {
        let encoding = OpenTelemetryEncoding(request) ?? .json
        guard let first = outcome.rejected.first else { return encoding.empty }
        let count = outcome.rejected.count
        return encoding.partialSuccess(rejected: count, "\(first.detail)\(count > 1 ? ", and others" : "")")
    }

    package static func answer(_ refusal: DialectRefusal, to request: DialectRequest) -> DialectAnswer {
        (OpenTelemetryEncoding(request) ?? .json).status(refusal)
    }
}

/// The other signals of OpenTelemetry, which come to the same base address as soon as it is set for all of them.
package enum OpenTelemetryOtherSignals: Dialect {
    package static let family = DialectFamily.otlp
    package static let routes = ["/v1/traces", "/v1/metrics", "/otlp/v1/traces", "/otlp/v1/metrics"].map {
        DialectRoute("POST", $0, .sideCall)
    }

    package static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody { ForeignBody(events: []) }

    package static func read(
        _ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings
    ) -> DialectSubmission { DialectSubmission() }

    /// Answers with a success although nothing is stored, because an error would fill the log of the client.
    package static func answer(_ outcome: DialectOutcome, to request: DialectRequest) -> DialectAnswer {
        (OpenTelemetryEncoding(request) ?? .json).empty
    }

    package static func answer(_ refusal: DialectRefusal, to request: DialectRequest) -> DialectAnswer {
        (OpenTelemetryEncoding(request) ?? .json).status(refusal)
    }
}
