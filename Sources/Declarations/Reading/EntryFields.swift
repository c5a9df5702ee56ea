import AfterpushWire
package import Events

/// Validates the fields of one entry by the rules for events: an empty string counts as absent.
package struct EntryFields {
    /// The entry's place in the body, such as `receipts[3]`.
    package let place: String
    private let limits = Limits()

    package init(_ list: String, _ index: Int) {
        self.init(place: "\(list)[\(index)]")
    }

    package init(place: String) {
        self.place = place
    }

    package func identifier(_ name: String, _ text: String?) throws(DeclarationError) -> String? {
        guard let text, !text.isEmpty else { return nil }
        guard text.utf8.count <= limits.identifierBytes else {
            throw error(name, .fieldTooLong, "is longer than \(limits.identifierBytes) bytes")
        }
        guard !text.utf8.contains(0) else { throw error(name, .textInvalid, "contains the character NUL") }
        return text
    }

    package func required(_ name: String, _ text: String?) throws(DeclarationError) -> String {
        guard let text = try identifier(name, text) else { throw error(name, .fieldMissing, "is missing") }
        return text
    }

    /// Validates a whole number. It is decoded as a double, because the decoder's error for integers names no field.
    package func number(
        _ name: String, _ number: Double?, in range: ClosedRange<Int64>
    ) throws(DeclarationError) -> Int64? {
        guard let number else { return nil }
        guard let whole = Int64(exactly: number), range.contains(whole) else {
            throw error(name, .fieldInvalid, "is not a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return whole
    }

    package func version(_ name: String, _ version: Double?) throws(DeclarationError) -> Int32? {
        try number(name, version, in: 1...Int64(Int32.max)).map { Int32($0) }
    }

    package func error(_ name: String, _ code: RejectionCode, _ what: String) -> DeclarationError {
        DeclarationError(.entry(code), "\(place).\(name) \(what)")
    }
}
