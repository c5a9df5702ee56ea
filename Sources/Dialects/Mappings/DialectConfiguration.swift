package import AfterpushWire
import Foundation
import JSON

/// What an app has set for the requests of other systems' clients: the body of `PUT /v1/mappings`.
///
/// | key | meaning |
/// | --- | --- |
/// | `device_order` | the parts of an event that can name its device, in the order in which they are tried |
/// | `mappings` | the app's own names of events; see `EventMappings.Rule` |
/// | `signing_secrets` | the secrets that sign webhooks, by their names; `null` keeps a secret, and so does a body without this key |
package struct DialectConfiguration: Sendable, Equatable {
    package var deviceOrder: [DeviceSource]
    package var mappings: EventMappings
    package private(set) var signingSecrets: [String: String] = [:]

    /// The names of the secrets that an app can have.
    package static let signedHooks = DialectTable.all.compactMap { $0.signingSecret }.sorted()

    /// The size of the largest body.
    package static let limit = 64 * 1024

    package init(deviceOrder: [DeviceSource] = DeviceSource.allCases, mappings: EventMappings = EventMappings()) {
        self.deviceOrder = deviceOrder
        self.mappings = mappings
    }

    /// Reads and checks a body.
    ///
    /// - Parameter current: What the app has set so far, whose secrets are kept unless the body replaces them.
    /// - Throws: `DialectConfigurationError`, which names the entry that is wrong.
    package init(
        _ json: [UInt8], replacing current: DialectConfiguration = DialectConfiguration()
    ) throws(DialectConfigurationError) {
        guard json.count <= Self.limit else { throw .init("the mappings are larger than \(Self.limit) bytes") }
        guard !JSONText.hasManyCombiningMarks(json) else {
            throw .init("the body has more than 128 combining marks in a row")
        }
        let body: Body
        do {
            body = try JSONDecoder().decode(Body.self, from: Data(json))
        } catch let error as DecodingError {
            throw .init(Self.text(error))
        } catch {
            throw .init("the body is no JSON")
        }
        deviceOrder = []
        for name in body.device_order ?? DeviceSource.allCases.map(\.rawValue) {
            guard let source = DeviceSource(rawValue: name) else {
                let names = DeviceSource.allCases.map(\.rawValue).joined(separator: ", ")
                throw .init("device_order may hold \(names)")
            }
            guard !deviceOrder.contains(source) else { throw .init("device_order holds \(name) twice") }
            deviceOrder.append(source)
        }
        guard !deviceOrder.isEmpty else { throw .init("device_order is empty") }
        mappings = EventMappings(body.mappings ?? [])
        for (index, rule) in mappings.mappings.enumerated() { try Self.check(rule, "mappings[\(index)]") }
        if let name = mappings.crowdedName {
            throw .init(
                "mappings has more than \(EventMappings.mostForName) rules for the event \(String(reflecting: name))")
        }
        signingSecrets = try Self.secrets(body.signing_secrets, keeping: current.signingSecrets)
    }

    /// Returns whether a valid body has the member `mappings`, even if that is empty.
    package static func statesMappings(_ json: [UInt8]) -> Bool {
        (try? JSONDecoder().decode(Body.self, from: Data(json)))?.mappings != nil
    }

    private static func secrets(
        _ stated: [String: String?]?, keeping current: [String: String]
    ) throws(DialectConfigurationError) -> [String: String] {
        guard let stated else { return current }
        var secrets: [String: String] = [:]
        for (name, secret) in stated {
            guard signedHooks.contains(name) else {
                throw .init("signing_secrets may hold \(signedHooks.joined(separator: ", "))")
            }
            guard secret.map({ 1...1_024 ~= $0.utf8.count }) ?? true else {
                throw .init("signing_secrets.\(name) must have 1 to 1024 bytes")
            }
            guard secret?.utf8.contains(0) != true else {
                throw .init("signing_secrets.\(name) has the character NUL")
            }
            secrets[name] = secret ?? current[name]
        }
        return secrets
    }

    /// The bytes of a path. Finding a value takes time with its length and its parts.
    private static let longestPath = 256
    private static let mostConditions = 8

    private static func check(_ rule: EventMappings.Rule, _ place: String) throws(DialectConfigurationError) {
        if let family = rule.dialect, DialectFamily(rawValue: family) == nil {
            let names = DialectFamily.allCases.map(\.rawValue).joined(separator: ", ")
            throw .init("\(place).dialect must be one of \(names)")
        }
        guard rule.event.isShort, !EventNames.normal(rule.event).isEmpty else {
            throw .init("\(place).event must have 1 to 256 bytes")
        }
        guard rule.kind == "tap" || EventKind(rawValue: rule.kind) != nil else {
            throw .init("\(place).kind must be tap or a kind of POST /v1/events")
        }
        let texts = [rule.event] + (rule.where ?? [:]).flatMap { [$0.key, $0.value] } + (rule.fields ?? [:]).values
        guard !texts.contains(where: { $0.utf8.contains(0) }) else { throw .init("\(place) has the character NUL") }
        let paths = Array((rule.where ?? [:]).keys) + Array((rule.fields ?? [:]).values)
        guard paths.allSatisfy({ $0.utf8.count <= longestPath }) else {
            throw .init("\(place) has a path of more than \(longestPath) bytes")
        }
        guard (rule.where ?? [:]).count <= mostConditions else {
            throw .init("\(place).where has more than \(mostConditions) conditions")
        }
        for (field, path) in rule.fields ?? [:] {
            guard let name = NativeEvent.Field.names[field], name != .kind, name != .eventID else {
                throw .init("\(place).fields has a name that is no field of an event")
            }
            guard !path.isEmpty else { throw .init("\(place).fields.\(field) is empty; it must be a path") }
        }
        guard !(rule.where ?? [:]).keys.contains("") else { throw .init("\(place).where has an empty path") }
    }

    private static func text(_ error: DecodingError) -> String {
        func place(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }
            return path.isEmpty ? "the body" : path.joined(separator: ".")
        }
        return switch error {
        case .keyNotFound(let key, let context): "\(place(context)): \(key.stringValue) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context): "\(place(context)) has the wrong type"
        default: "the body is no JSON"
        }
    }

    // The names are those of the body.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    private struct Body: Codable {
        var device_order: [String]?
        var mappings: [EventMappings.Rule]?
        var signing_secrets: [String: String?]?
    }

    /// The body that sets the same, with all secrets: only for storing it.
    package var json: String { json(signingSecrets) }

    /// The body that sets the same for this app, with null in the place of each secret.
    package var shownJSON: String { json(signingSecrets.mapValues { _ in nil }) }

    private func json(_ secrets: [String: String?]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = Body(
            device_order: deviceOrder.map(\.rawValue), mappings: mappings.mappings,
            signing_secrets: secrets.isEmpty ? nil : secrets)
        return (try? encoder.encode(body)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    package func settings(receivedAt: Timestamp) -> DialectSettings {
        var settings = DialectSettings(receivedAt: receivedAt)
        settings.deviceOrder = deviceOrder
        settings.mappings = mappings
        settings.signingSecrets = signingSecrets
        return settings
    }
}

/// Why a body of `PUT /v1/mappings` is refused.
package struct DialectConfigurationError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
