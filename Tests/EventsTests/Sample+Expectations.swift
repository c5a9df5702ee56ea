import EventSamples
import Events
import Testing

extension Sample {
    /// The event of a body with a single event.
    static func accepted(
        _ changes: [String: String?] = [:], _ context: ValidationContext = context(),
        at location: SourceLocation = #_sourceLocation
    ) throws -> Event {
        let result = try validated(event(changes).utf8, context)
        #expect(result.rejections == [], sourceLocation: location)
        return try #require(result.events.first, sourceLocation: location)
    }

    /// The rejection of a body with a single event.
    static func rejected(
        _ changes: [String: String?] = [:], _ context: ValidationContext = context(),
        at location: SourceLocation = #_sourceLocation
    ) throws -> Rejection {
        let result = try validated(event(changes).utf8, context)
        #expect(result.events.isEmpty, sourceLocation: location)
        return try #require(result.rejections.first, sourceLocation: location)
    }

    /// Expects that an event is rejected with a code, and that the detail names the field.
    static func expectRejection(
        _ code: RejectionCode, naming field: String, _ changes: [String: String?],
        _ context: ValidationContext = context(), at location: SourceLocation = #_sourceLocation
    ) throws {
        let rejection = try rejected(changes, context, at: location)
        #expect(rejection.code == code, sourceLocation: location)
        #expect(rejection.detail.contains(field), "\(rejection.detail)", sourceLocation: location)
    }
}
