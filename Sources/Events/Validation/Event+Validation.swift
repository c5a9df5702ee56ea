import AfterpushWire
import Foundation

extension Event {
    static func check(_ time: Timestamp, _ context: ValidationContext) throws(EventValidationError) {
        if time.microseconds - context.receivedAt.microseconds > context.limits.futureMicroseconds {
            throw EventValidationError(.occurredAtOutOfRange, "occurred_at is too far ahead of the collector's clock")
        }
        if time < context.limits.oldest ?? .earliest || time < .earliest { throw .sealed }
        try context.suppressionList.check(time)
    }

    static func check(_ kind: EventKind, _ trigger: Trigger?, _ scope: Scope) throws(EventValidationError) {
        guard kind == .sent || kind == .failed, !scope.allows(.send), trigger?.isLocal != true else { return }
        throw EventValidationError(
            .scopeInsufficient, "kind \(kind.rawValue) needs a key of scope send, or a local trigger")
    }
}
