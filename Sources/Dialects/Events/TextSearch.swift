extension [UInt8] {
    /// Returns whether a text occurs anywhere, so that what can't hold it needn't be decoded.
    func contains(_ text: StaticString) -> Bool {
        withUnsafeBufferPointer { bytes in
            text.withUTF8Buffer { text in
                guard let first = text.first, bytes.count >= text.count else { return false }
                return (0...bytes.count - text.count).contains { start in
                    bytes[start] == first && text.indices.allSatisfy { bytes[start + $0] == text[$0] }
                }
            }
        }
    }
}
