package import Events
import Foundation
import JSON

/// The reason why a declaration is refused as a whole: its sender can correct it and send it again.
///
/// The description names the entry and the field, never their values.
package struct DeclarationError: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        /// The body is not valid JSON.
        case malformed
        /// The list or the body exceeds the limit of a request.
        case tooMany
        /// An entry is invalid; the code is that of an event with the same defect.
        case entry(RejectionCode)
    }

    package let reason: Reason
    package let description: String

    package init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}

extension DeclarationError {
    /// Decodes the JSON of a body, and says in the words of declarations why it can't be decoded.
    package static func decode<Entry: Decodable>(
        _ type: Entry.Type, from body: [UInt8]
    ) throws(DeclarationError) -> Entry {
        guard !JSONText.hasManyCombiningMarks(body) else {
            throw DeclarationError(.malformed, "the body has more than 128 combining marks in a row")
        }
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch let error as DeclarationError {
            throw error
        } catch let error as DecodingError {
            throw DeclarationError(error)
        } catch {
            throw DeclarationError(.malformed, "the body is not valid JSON")
        }
    }

    /// Describes a decoding error without the value that caused it.
    package init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(.entry(.fieldMissing), "\(Self.place(context.codingPath + [key])) is missing")
        case .valueNotFound(_, let context):
            self.init(.entry(.fieldMissing), "\(Self.place(context.codingPath)) is missing")
        case .typeMismatch(let type, let context):
            self.init(.entry(.invalidJSONType), "\(Self.place(context.codingPath)) is not \(Self.name(of: type))")
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            self.init(.entry(.fieldInvalid), "\(Self.place(context.codingPath)) is not valid")
        default:
            // Includes errors without a path, such as a number that doesn't fit a double.
            self.init(.malformed, "the body is not valid JSON")
        }
    }

    /// Formats a path, such as `receipts[3].expires_in`.
    private static func place(_ path: [any CodingKey]) -> String {
        let place = path.reduce(into: "") { place, key in
            if let index = key.intValue { place += "[\(index)]" } else { place += ".\(key.stringValue.abbreviated)" }
        }
        return place.isEmpty ? "the body" : String(place.drop { $0 == "." })
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Double.Type: "a number"
        case is [Any].Type: "an array"
        default: "an object"
        }
    }
}
