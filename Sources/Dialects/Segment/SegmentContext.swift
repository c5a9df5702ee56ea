import JSON

/// What a batch of the Segment family says about all of its events, read once.
final class SegmentBatch: Sendable {
    let sentAt: JSONElement?
    /// Whether the sender switched the batch off for this collector.
    let isDisabled: Bool
    let context: SegmentContext.Groups

    init(_ envelope: JSONObject) {
        sentAt = envelope["sentAt"]
        isDisabled = envelope.at("integrations", "Afterpush")?.bool == false
        context = SegmentContext.Groups(envelope["context"]?.object)
    }
}

/// What an event of the Segment family says about its device and its app.
///
/// Each value is that of the event's own context, or where that says nothing, of the context of the batch.
struct SegmentContext {
    /// The objects within a context.
    struct Groups: Sendable {
        fileprivate let device, os, app, library, campaign, integration: JSONObject
        fileprivate let locale: String?

        init(_ context: JSONObject?) {
            func group(_ name: StaticString) -> JSONObject { context?[name]?.object ?? .empty }
            device = group("device")
            os = group("os")
            app = group("app")
            library = group("library")
            campaign = group("campaign")
            integration = group("integration")
            locale = context?["locale"]?.text
        }
    }

    /// An object of either context.
    struct Group {
        fileprivate let own: JSONObject
        fileprivate let batch: JSONObject

        subscript(_ name: StaticString) -> JSONElement? { own[name] ?? batch[name] }
    }

    let own: Groups
    let batch: SegmentBatch

    var device: Group { Group(own: own.device, batch: batch.context.device) }
    var os: Group { Group(own: own.os, batch: batch.context.os) }
    var app: Group { Group(own: own.app, batch: batch.context.app) }
    var library: Group { Group(own: own.library, batch: batch.context.library) }
    var campaign: Group { Group(own: own.campaign, batch: batch.context.campaign) }
    var integration: Group { Group(own: own.integration, batch: batch.context.integration) }
    var locale: String? { own.locale ?? batch.context.locale }
}
