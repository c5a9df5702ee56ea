import JSON

/// How a request is encoded, and so its response.
enum OpenTelemetryEncoding {
    case json, protobuf

    /// Finds out the encoding from the type, or from the body if the type says nothing; `nil` for any other type.
    init?(_ request: DialectRequest) {
        switch request.mediaType {
        case "application/x-protobuf", "application/protobuf": self = .protobuf
        case "application/json": self = .json
        case "", "text/plain", "application/octet-stream":
            // No message of OpenTelemetry begins with a bracket, but nearly all with a line feed.
            self = request.body.first == UInt8(ascii: "{") || request.mediaType == "text/plain" ? .json : .protobuf
        default: return nil
        }
    }

    private func answer(_ status: Int, json: String, protobuf: [UInt8]) -> DialectAnswer {
        switch self {
        case .json: .json(status, json)
        case .protobuf: DialectAnswer(status: status, contentType: "application/x-protobuf", body: protobuf)
        }
    }

    /// A response to a request of which everything was taken.
    var empty: DialectAnswer { answer(200, json: "{}", protobuf: []) }

    func partialSuccess(rejected: Int, _ message: String) -> DialectAnswer {
        var partial = ProtobufWriter()
        partial.write(1, varint: UInt64(rejected))
        partial.write(2, message.utf8)
        var response = ProtobufWriter()
        response.write(1, partial.bytes)
        let json = JSONText.object([
            // A number of 64 bits is a text in JSON.
            ("rejectedLogRecords", JSONText.string(String(rejected))), ("errorMessage", JSONText.string(message)),
        ])
        return answer(200, json: JSONText.object([("partialSuccess", json)]), protobuf: response.bytes)
    }

    /// A refusal as a `google.rpc.Status`.
    func status(_ refusal: DialectRefusal) -> DialectAnswer {
        let code = Self.code(refusal.status)
        var status = ProtobufWriter()
        status.write(1, varint: UInt64(code))
        status.write(2, refusal.detail.utf8)
        let json = JSONText.object([("code", String(code)), ("message", JSONText.string(refusal.detail))])
        return answer(refusal.status, json: json, protobuf: status.bytes)
    }

    /// The `google.rpc.Code` of an HTTP status.
    private static func code(_ status: Int) -> Int {
        switch status {
        case 401: 16  // unauthenticated
        case 403: 7  // permission denied
        case 404: 5  // not found
        case 413, 429: 8  // resource exhausted
        case 502, 503, 504: 14  // unavailable
        case 500...: 13  // internal
        default: 3  // invalid argument
        }
    }
}
