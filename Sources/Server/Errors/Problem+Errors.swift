import Hummingbird
import Ingest
import NIOCore
import Reports

/// The status of every error, in one place.
extension Problem {
    static let unauthorized: Problem = {
        var problem = Problem(.unauthorized, "unauthorized", "no such key; send it as 'Authorization: Bearer KEY'")
        problem.headers[.wwwAuthenticate] = "Bearer"
        return problem
    }()

    static func forbidden(_ needed: Scope) -> Problem {
        Problem(.forbidden, "scope_insufficient", "the key does not have the scope '\(needed.rawValue)'")
    }

    static let unsupportedMediaType = Problem(
        .unsupportedMediaType, "media_type_unsupported",
        "the body is neither application/json nor application/x-ndjson, without a content encoding")

    static func bodyTooLarge(_ limit: Int) -> Problem {
        var problem = Problem(.contentTooLarge, "body_too_large", "a request's body has at most \(limit) bytes")
        problem.closesConnection = true
        return problem
    }

    static let noReceiptSecret = Problem(
        .conflict, "receipt_secret_missing", "the app has no receipt secret; make one with: afterpush apps secret NAME")

    /// What an error that was thrown on the way is answered with.
    init(_ error: any Error, bodyLimit: Int) {
        switch error {
        case let problem as Problem: self = problem
        case let error as BodyError: self.init(error)
        case let error as DeclarationError: self.init(error)
        case let error as SinkError: self.init(error)
        case let error as ReportError: self.init(error)
        case is NIOTooManyBytesError: self = .bodyTooLarge(bodyLimit)
        case let error as HTTPError where error.status == .notFound:
            self.init(.notFound, "not_found", "there is nothing under this path")
        case let error as HTTPError where error.status == .methodNotAllowed:
            self.init(.methodNotAllowed, "method_not_allowed", "this path does not take this method")
        case let error as HTTPError: self.init(error.status, "request_invalid", error.status.reasonPhrase)
        default:
            self = Problem(.serviceUnavailable, "unavailable", "the collector can't answer now").retryable(after: 2)
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
        case .unavailable:
            self = Problem(
                .serviceUnavailable, "storage_unavailable", "the events could not be stored; sending them again is safe"
            ).retryable(after: 2)
        case .overloaded:
            self = Problem(.serviceUnavailable, "overloaded", "too much is waiting to be stored").retryable(after: 1)
        case .draining:
            self = Problem(.serviceUnavailable, "draining", "the collector is stopping").retryable(after: 1)
        }
    }

    private init(_ error: ReportError) {
        switch error {
        case .unknownReport: self.init(.notFound, "report_unknown", error.description)
        case .parameter: self.init(.badRequest, "parameter_invalid", error.description)
        case .file, .result: self.init(.internalServerError, "report_broken", error.description)
        }
    }
}
