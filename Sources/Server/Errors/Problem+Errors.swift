import Declarations
import Events
import HTTPTransport
import Hummingbird
import Ingest
import Reports
import Zlib

/// The status and the code of every error, in one place.
extension Problem {
    static let unauthorized: Problem = {
        var problem = Problem(
            .unauthorized, "unauthorized", "unknown or revoked key; send a key as 'Authorization: Bearer KEY'")
        problem.headers[.wwwAuthenticate] = "Bearer"
        return problem
    }()

    static func forbidden(_ needed: Scope) -> Problem {
        Problem(.forbidden, "scope_insufficient", "the key does not have the scope '\(needed.rawValue)'")
    }

    static let unsupportedMediaType = Problem(
        .unsupportedMediaType, "media_type_unsupported",
        "the content type must be application/json or application/x-ndjson")

    static let bodyIncomplete = Problem(.badRequest, "body_malformed", "the body is shorter than its Content-Length")

    static let bodiesTooMany = Problem(.serviceUnavailable, "overloaded", "request bodies use too much memory")
        .retryable(after: 1)

    static let eventsTooMany = Problem(.serviceUnavailable, "overloaded", "too many events are waiting to be stored")
        .retryable(after: 1)

    static let settingsUnknown = Problem(
        .serviceUnavailable, "unavailable", "the app's settings, which tell whether requests are signed, can't be read"
    ).retryable(after: 2)

    static let keysTooMany = Problem(.serviceUnavailable, "overloaded", "too many keys are being looked up")
        .retryable(after: 1)

    static let exportsTooMany = Problem(.serviceUnavailable, "overloaded", "too many concurrent exports")
        .retryable(after: 10)

    static let reportsTooMany = Problem(.serviceUnavailable, "overloaded", "too many concurrent reports")
        .retryable(after: 1)

    static let resultsTooLarge = Problem(
        .serviceUnavailable, "overloaded", "too many large reports are being read; ask for fewer rows, or try later"
    ).retryable(after: 10)

    static let documentsTooMany = Problem(
        .serviceUnavailable, "overloaded", "too many large documents with declarations are being read"
    ).retryable(after: 2)

    static let inspectionsTooMany = Problem(.serviceUnavailable, "overloaded", "too many concurrent inspections")
        .retryable(after: 1)

    static let alertListsTooMany = Problem(.serviceUnavailable, "overloaded", "too many concurrent lists of alerts")
        .retryable(after: 1)

    static let streamsTooMany = Problem(.serviceUnavailable, "overloaded", "too many open live streams")
        .retryable(after: 10)

    static let methodNotAllowed = Problem(
        .methodNotAllowed, "method_not_allowed", "this path does not support this method")

    static let hostNotServed = Problem(
        .misdirectedRequest, "host_not_served", "this server does not serve the host that the request names")

    static let otherOrigin = Problem(
        .forbidden, "origin_forbidden", "only the dashboard's own pages may send this request")

    static let formExpected = Problem(
        .unsupportedMediaType, "media_type_unsupported", "the content type must be application/x-www-form-urlencoded")

    static let shareEnded: Problem = {
        var problem = Problem(.unauthorized, "share_ended", "the link is unknown, has expired or was revoked")
        problem.headers[.wwwAuthenticate] = "Bearer"
        return problem
    }()

    static let shareForbidden = Problem(.forbidden, "share_forbidden", "the link doesn't share this")

    static let sharesTooMany = Problem(
        .conflict, "limit_exceeded", "an app has at most \(NewShare.limit) links that share a view; revoke one first")

    static let shareUnknown = Problem(
        .notFound, "not_found", "no link of yours has this number; a key of scope manage can revoke those of others")

    static func rateLimited(retryAfter seconds: Int) -> Problem {
        Problem(.tooManyRequests, "rate_limited", "rate limit exceeded").retryable(after: seconds)
    }

    static func bodyTooLarge(_ limit: Int) -> Problem {
        var problem = Problem(.contentTooLarge, "body_too_large", "the body is larger than \(limit) bytes")
        problem.closesConnection = true
        return problem
    }

    static let deviceInvalid = Problem(
        .badRequest, "device_invalid", "the device id must be 1 to 256 bytes of UTF-8, percent-encoded in the path")

    static let noErasure = Problem(.notFound, "erasure_unknown", "no erasure was requested for this device")

    static let noReceiptSecret = Problem(
        .conflict, "receipt_secret_missing", "the app has no receipt secret; make one with: afterpush apps secret NAME")

    /// Converts any error of a request to a problem.
    init(_ error: any Error, limits: HTTPLimits) {
        switch error {
        case let problem as Problem: self = problem
        case let error as ContentCodingError: self.init(error)
        case let error as InflateError: self.init(error, bodyLimit: limits.bodyBytes)
        case let fault as RequestReadError: self.init(fault, limits: limits)
        case let error as BodyError: self.init(error)
        case let error as DeclarationError: self.init(error)
        case let error as CategorySetError:
            let code = error.exceedsLimit ? RejectionCode.limitExceeded.rawValue : "categories_invalid"
            self.init(.badRequest, code, error.description)
        case let error as SinkError: self.init(error)
        case let error as ReportError: self.init(error)
        case let error as HTTPError where error.status == .notFound:
            self.init(.notFound, "not_found", "no resource at this path")
        case let error as HTTPError where error.status == .methodNotAllowed:
            self = .methodNotAllowed
        case let error as HTTPError: self.init(error.status, "request_invalid", error.status.reasonPhrase)
        default:
            self = Problem(.serviceUnavailable, "unavailable", "the collector is temporarily unavailable").retryable(
                after: 2)
        }
    }

    private init(_ fault: RequestReadError, limits: HTTPLimits) {
        switch fault {
        case .malformed: self.init(.badRequest, "request_malformed", "the HTTP request is malformed or ambiguous")
        case .headersTooLarge:
            self.init(
                .requestHeaderFieldsTooLarge, "headers_too_large",
                "the headers are larger than \(limits.headerBytes) bytes")
        case .headersSlow:
            self = Problem(.requestTimeout, "headers_slow", "the headers arrived too slowly").retryable(after: 1)
        case .bodySlow: self = Problem(.requestTimeout, "body_slow", "the body arrived too slowly").retryable(after: 1)
        }
        closesConnection = true
    }

    private init(_ error: ContentCodingError) {
        switch error {
        case .unknown:
            self.init(
                .unsupportedMediaType, "content_encoding_unsupported",
                "the content encoding is not supported")
            headers[.acceptEncoding] = ContentCoding.accepted
        case .nested: self.init(.badRequest, "body_malformed", "only one content encoding is supported")
        }
    }

    private init(_ error: InflateError, bodyLimit: Int) {
        switch error {
        case .corrupt: self.init(.badRequest, "body_malformed", "the compressed body is corrupt")
        case .truncated: self.init(.badRequest, "body_malformed", "the compressed body is truncated")
        case .tooLarge: self = .bodyTooLarge(bodyLimit)
        case .tooDense:
            self.init(
                .contentTooLarge, "body_too_large",
                "the body expands to more than \(Inflater.densest) times its compressed size")
            closesConnection = true
        }
    }

    private init(_ error: BodyError) {
        switch error {
        case .malformed: self.init(.badRequest, "body_malformed", error.description)
        case .tooManyEvents:
            self.init(.contentTooLarge, "too_many_events", error.description)
            closesConnection = true
        }
    }

    private init(_ error: DeclarationError) {
        switch error.reason {
        case .malformed: self.init(.badRequest, "body_malformed", error.description)
        case .entry(let code): self.init(.badRequest, code.rawValue, error.description)
        case .tooMany:
            self.init(.contentTooLarge, RejectionCode.limitExceeded.rawValue, error.description)
            closesConnection = true
        }
    }

    private init(_ error: SinkError) {
        switch error {
        case .unavailable, .standby, .refused, .namesLocked:
            self = Problem(
                .serviceUnavailable, "storage_unavailable", "the events could not be stored; sending them again is safe"
            ).retryable(after: 2)
        case .overloaded:
            self = .eventsTooMany
        case .draining:
            self = Problem(.serviceUnavailable, "draining", "the collector is stopping").retryable(after: 1)
        }
    }

    private init(_ error: ReportError) {
        switch error {
        case .unknownReport: self.init(.notFound, "report_unknown", error.description)
        case .parameter: self.init(.badRequest, "parameter_invalid", error.description)
        case .file, .result: self.init(.internalServerError, "report_broken", error.description)
        case .tooSlow: self.init(.gatewayTimeout, "report_slow", error.description)
        }
    }
}
