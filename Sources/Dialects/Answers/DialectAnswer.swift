package import AfterpushWire
import JSON

/// What became of the events of a request.
package struct DialectOutcome: Sendable {
    /// An event that was mapped, but whose content is invalid.
    package struct Rejection: Sendable {
        /// The position of the event in the request.
        package let index: Int
        package let code: String
        package let detail: String

        package init(index: Int, code: String, detail: String) {
            self.index = index
            self.code = code
            self.detail = detail
        }
    }

    /// The number of events in the request.
    package var received: Int
    package var accepted: Int
    package var duplicates: Int
    package var ignored: Int
    package var rejected: [Rejection]
    /// The size of the body, decompressed.
    package var bytes: Int
    /// The collector's clock when the request arrived.
    package var receivedAt: Timestamp

    package init(
        received: Int, accepted: Int = 0, duplicates: Int = 0, ignored: Int = 0, rejected: [Rejection] = [],
        bytes: Int = 0, receivedAt: Timestamp
    ) {
        self.received = received
        self.accepted = accepted
        self.duplicates = duplicates
        self.ignored = ignored
        self.rejected = rejected
        self.bytes = bytes
        self.receivedAt = receivedAt
    }
}

/// Why a request was refused as a whole.
package struct DialectRefusal: Sendable {
    package var status: Int
    package var title: String
    /// A stable identifier, for programs.
    package var code: String
    /// A text for people, which quotes nothing of the request.
    package var detail: String

    package init(status: Int, title: String, code: String, detail: String) {
        self.status = status
        self.title = title
        self.code = code
        self.detail = detail
    }
}

/// A response in the form that a client expects.
package struct DialectAnswer: Sendable, Equatable {
    package var status: Int
    package var contentType: String
    package var body: [UInt8]

    package init(status: Int, contentType: String, body: [UInt8]) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    package static func json(_ status: Int, _ body: String) -> DialectAnswer {
        DialectAnswer(status: status, contentType: "application/json", body: Array(body.utf8))
    }

    /// Status 200 with a body that most clients of analytics systems take for success.
    ///
    /// Some of them take no other status than 200 for success, and each looks for other members, so it has all of them.
    package static func success(_ outcome: DialectOutcome) -> DialectAnswer {
        let rejected = outcome.rejected.map { rejection in
            JSONText.object([
                ("index", String(rejection.index)), ("code", JSONText.string(rejection.code)),
                ("detail", JSONText.string(rejection.detail)),
            ])
        }
        return .json(
            200,
            JSONText.object([
                ("success", "true"), ("status", "1"), ("error", "null"), ("ok", "true"), ("code", "200"),
                ("result", JSONText.string("Success")), ("accepted", String(outcome.accepted)),
                ("duplicates", String(outcome.duplicates)), ("ignored", String(outcome.ignored)),
                ("rejected", JSONText.array(rejected)),
            ]))
    }

    /// A problem document with the further members by which clients recognize an error that a retry won't mend.
    ///
    /// Clients of Segment's lineage look for `code` and `message`, PostHog's for `detail`, Mixpanel's for `error` and a
    /// `status` other than 1. Without them, some take the response for a network error and send the request again.
    package static func refusal(_ refusal: DialectRefusal) -> DialectAnswer {
        DialectAnswer(
            status: refusal.status, contentType: "application/problem+json",
            body: Array(
                JSONText.object([
                    ("type", JSONText.string("about:blank")), ("title", JSONText.string(refusal.title)),
                    ("status", String(refusal.status)), ("code", JSONText.string(refusal.code)),
                    ("detail", JSONText.string(refusal.detail)), ("message", JSONText.string(refusal.detail)),
                    ("error", JSONText.string(refusal.detail)), ("success", "false"),
                ]).utf8))
    }
}
