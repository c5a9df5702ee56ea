import JSON

/// What a batch of the Segment family says about all of its events, read once.
final class SegmentBatch: Sendable {
    /// When the sender sent the batch, as it is written.
    let sentAt: String?
    /// The type that the path of a single event states.
    let type: String
    /// Whether the sender switched the batch off for this collector.
    let isDisabled: Bool
    let context: SegmentContext.Groups

    init(_ envelope: JSONObject, path: String) {
        // A longer text is no time.
        sentAt = envelope["sentAt"]?.text.flatMap { $0.isShort ? $0 : nil }
        type = Self.type(of: path)
        isDisabled = envelope.at("integrations", "Afterpush")?.bool == false
        context = SegmentContext.Groups(envelope["context"]?.object, members: ForeignBody.envelopeMembers)
    }

    private static func type(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return ["t": "track", "i": "identify", "p": "page", "s": "screen", "g": "group", "a": "alias"][name] ?? name
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

        /// Finds the objects, of which the first members are read, at most as many as `limit`.
        init(_ context: JSONObject?, members limit: Int = .max) {
            func group(_ name: StaticString) -> JSONObject {
                context?[name]?.object?.withoutMembers(after: limit) ?? .empty
            }
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
