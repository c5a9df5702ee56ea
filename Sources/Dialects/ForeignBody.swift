package import JSON

/// A request of another system, split into its events.
package struct ForeignBody: Sendable {
    /// The keys that the body states, each once, without texts that are too long to be one.
    package var keys: [String] = []
    /// What the request says about all of its events; an empty object if it says nothing.
    ///
    /// Members longer than `envelopeBytes` and those after `envelopeMembers` are left out: what each event reads again
    /// costs its length times the number of events. A dialect that needs many of them reads them once.
    package let envelope: JSONObject
    package var events: [JSONElement]
    /// What the dialect found while it split the body, so that it needn't search it a second time.
    package var found: (any Sendable)?

    package init(events: [JSONElement], envelope: JSONObject = .empty, keys: [String?] = []) {
        self.events = events
        self.envelope = envelope.withoutMembers(longerThan: Self.envelopeBytes)
            .withoutMembers(after: Self.envelopeMembers)
        var stated: Set<String> = []
        self.keys = keys.compactMap(\.self).filter { key in
            // Of a longer text, even finding out whether it is stated before would take time.
            !key.isEmpty && key.isShort && stated.insert(key).inserted
        }
    }

    /// The number of events that are read of one request.
    package static let limit = 5_000

    /// The length of a member that all events of a request share, its name included, in bytes.
    package static let envelopeBytes = 16 * 1024

    /// The number of members of an object that all events of a request share.
    package static let envelopeMembers = 200
}

extension JSONElement {
    /// Reads a body that must be JSON.
    package static func body(_ bytes: [UInt8]) throws(DialectError) -> JSONElement {
        do throws(JSONSyntaxError) {
            return try JSONElement(bytes)
        } catch {
            throw .malformed("the body is no JSON: \(error)")
        }
    }

    /// The events of an array, or `nil` if it is none.
    package var events: [JSONElement]? {
        get throws(DialectError) {
            do throws(JSONElementError) {
                return try elements(limit: ForeignBody.limit)
            } catch {
                throw .tooManyEvents(limit: ForeignBody.limit)
            }
        }
    }
}

extension JSONObject {
    package static let empty = JSONObject()

    /// The value at the end of a path of members, such as `context.device.id`; `nil` if any of them is absent.
    package func at(_ path: StaticString...) -> JSONElement? {
        var object: JSONObject? = self
        for name in path.dropLast() { object = object?[name]?.object }
        return path.last.flatMap { object?[$0] }
    }

    /// The first of some members that is a text.
    package func text(_ names: StaticString...) -> String? {
        for name in names {
            if let text = self[name]?.text { return text }
        }
        return nil
    }
}
