import AfterpushWire
import Foundation

extension Event {
    static func check(_ time: Timestamp, _ context: ValidationContext) throws(Refusal) {
        if time.microseconds - context.receivedAt.microseconds > context.limits.futureMicroseconds {
            throw Refusal(.occurredAtOutOfRange, "occurred_at is too far ahead of the collector's clock")
        }
        if time < context.limits.oldest ?? .earliest || time < .earliest { throw .sealed }
        try context.exclusions.check(time)
    }

    static func check(_ kind: EventKind, _ trigger: Trigger?, _ scope: Scope) throws(Refusal) {
        guard kind == .sent || kind == .failed, !scope.allows(.send), trigger?.isLocal != true else { return }
        throw Refusal(.scopeInsufficient, "kind \(kind.rawValue) needs a key of scope send, or a local trigger")
    }
}
