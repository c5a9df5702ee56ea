package import AfterpushWire

/// The wire format of another system's clients: how their requests become native events, and what they expect as a
/// response.
///
/// All functions are pure. They know neither the clock nor the database: what they need to know comes with the request or
/// in `DialectSettings`.
package protocol Dialect: Sendable {
    /// The family that the dialect belongs to.
    static var family: DialectFamily { get }

    /// The methods and paths at which the clients post.
    static var routes: [DialectRoute] { get }

    /// The name of the app's secret that signs these requests; `nil` if they are not signed.
    static var signingSecret: String? { get }

    /// Returns whether a request that several dialects could read is of this one.
    static func claims(_ request: DialectRequest) -> Bool

    /// Splits a request into the other system's events, without interpreting them.
    ///
    /// - Throws: `DialectError` if the body can't be read as a whole.
    static func parse(_ request: DialectRequest) throws(DialectError) -> ForeignBody

    /// Checks that a request is from who it says, if the app has a secret for it.
    ///
    /// - Throws: `DialectError.signature` if the signature is missing, wrong or too old.
    static func verify(_ request: DialectRequest, _ settings: DialectSettings) throws(DialectError)

    /// Turns the events of a request into native ones.
    static func read(_ body: ForeignBody, _ request: DialectRequest, _ settings: DialectSettings) -> DialectSubmission

    /// Returns the response to a request whose events are durable.
    static func answer(_ outcome: DialectOutcome, to request: DialectRequest) -> DialectAnswer

    /// Returns the response to a request that was refused.
    static func answer(_ refusal: DialectRefusal, to request: DialectRequest) -> DialectAnswer
}

extension Dialect {
    package static var signingSecret: String? { nil }

    package static func claims(_ request: DialectRequest) -> Bool { true }

    package static func verify(_ request: DialectRequest, _ settings: DialectSettings) throws(DialectError) {}

    package static func answer(_ outcome: DialectOutcome, to request: DialectRequest) -> DialectAnswer {
        .success(outcome)
    }

    package static func answer(_ refusal: DialectRefusal, to request: DialectRequest) -> DialectAnswer {
        .refusal(refusal)
    }
}

/// A group of dialects whose events have one identity: an event that arrives by two of them counts once.
package enum DialectFamily: String, Sendable, CaseIterable {
    case segment, posthog, cloudevents, mixpanel, amplitude, snowplow, otlp, countly
    case onesignal, braze, customerio, iterable
    case fcm, airship, pinpoint, ga4
    /// Native events in bodies that come from templates.
    case native

    /// The name for people.
    package var title: String {
        switch self {
        case .segment: "Segment, RudderStack, Customer.io CDP, Jitsu"
        case .posthog: "PostHog"
        case .cloudevents: "CloudEvents"
        case .mixpanel: "Mixpanel"
        case .amplitude: "Amplitude"
        case .snowplow: "Snowplow"
        case .otlp: "OpenTelemetry logs"
        case .countly: "Countly"
        case .onesignal: "OneSignal"
        case .braze: "Braze Currents"
        case .customerio: "Customer.io webhooks"
        case .iterable: "Iterable webhooks"
        case .fcm: "FCM export to BigQuery"
        case .airship: "Airship Real-Time Data Streaming"
        case .pinpoint: "Amazon Pinpoint event stream"
        case .ga4: "Google Analytics 4 export to BigQuery"
        case .native: "Native events from templates"
        }
    }
}

/// A method and path at which the clients of a dialect post.
package struct DialectRoute: Sendable, Hashable {
    package enum Purpose: Sendable, Hashable {
        /// The request carries events.
        case events
        /// The client asks for something before it sends, such as its settings. Nothing is stored.
        case sideCall
    }

    package let method: String
    /// The path with `{name}` for a variable segment, without a slash at its end.
    package let path: String
    package let purpose: Purpose
    /// The path up to its first variable segment, or `nil` if it has none.
    private let fixedPrefix: String?

    /// Whether the path has variable segments.
    var isVariable: Bool { fixedPrefix != nil }

    package init(_ method: String, _ path: String, _ purpose: Purpose = .events) {
        self.method = method
        self.path = path
        self.purpose = purpose
        fixedPrefix = path.firstIndex(of: "{").map { String(path[..<$0]) }
    }

    /// Returns whether a path without a slash at its end is of this route.
    package func matches(_ path: String) -> Bool {
        guard let fixedPrefix else { return self.path == path }
        // Each request asks most routes.
        guard path.hasPrefix(fixedPrefix) else { return false }
        let wanted = self.path.split(separator: "/", omittingEmptySubsequences: false)
        let given = path.split(separator: "/", omittingEmptySubsequences: false)
        return wanted.count == given.count
            && zip(wanted, given).allSatisfy { $0 == $1 || $0.hasPrefix("{") && !$1.isEmpty }
    }
}

/// What an app has set for its dialects, and when the request arrived.
package struct DialectSettings: Sendable {
    /// The collector's clock when the request arrived, for events that state no time.
    package var receivedAt: Timestamp
    /// The parts of an event that can name its device, in the order in which they are tried.
    package var deviceOrder: [DeviceSource] = DeviceSource.allCases
    /// The app's own names of events.
    package var mappings = EventMappings()
    /// The secrets that sign webhooks, by the name of the webhook. Without one, signatures are not checked.
    package var signingSecrets: [String: String] = [:]

    package init(receivedAt: Timestamp) {
        self.receivedAt = receivedAt
    }
}

/// A part of another system's event that can name the device.
package enum DeviceSource: String, Sendable, CaseIterable {
    /// A field that is meant for it, such as `properties.device_id` or `context.device.id`.
    case deviceID = "device_id"
    /// The push token or the subscription.
    case token
    /// The id of a person who is not known yet.
    case anonymousID = "anonymous_id"
    /// The id of the person.
    case userID = "user_id"
}

/// Why a whole request can't be read. The text says what is wrong, and never quotes the request.
package enum DialectError: Error, Sendable, Equatable {
    case malformed(String)
    case tooManyEvents(limit: Int)
    case unsupportedMediaType(String)
    /// The signature is missing or wrong.
    case signature(String)

    /// The code of a signature that is missing or wrong, in responses and counts.
    package static let signatureCode = "signature_invalid"
}
