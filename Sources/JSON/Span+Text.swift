extension Span<UInt8> {
    /// The bytes decoded as UTF-8.
    package var text: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }

    /// Whether the bytes equal a text in UTF-8.
    package func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { wanted in
            for position in 0..<count where self[position] != wanted[position] { return false }
            return true
        }
    }
}
