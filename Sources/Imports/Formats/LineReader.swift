/// Reads NDJSON and passes its lines on unchanged.
struct LineReader: RecordReader {
    /// The bytes read after the last complete line.
    private var carry: [UInt8] = []
    private var line = 1
    private var hasEnded = false

    mutating func next(_ source: ByteSource) throws(ImportError) -> ImportChunk? {
        var text = carry
        carry = []
        while !hasEnded {
            let block = try source.read()
            hasEnded = block.isEmpty
            text.append(contentsOf: block)
            guard text.count >= ImportChunk.target else { continue }
            if let end = text.lastIndex(of: UInt8(ascii: "\n")) {
                carry = Array(text[(end + 1)...])
                text.removeSubrange((end + 1)...)
                return chunk(text)
            }
            return try skipLine(source)
        }
        if source.damage != nil { text.removeTornLine() }
        return text.isEmpty ? nil : chunk(text)
    }

    private mutating func chunk(_ text: [UInt8]) -> ImportChunk {
        var chunk = ImportChunk()
        chunk.firstLine = line
        var count = 0
        text.withUnsafeBufferPointer { for byte in $0 where byte == UInt8(ascii: "\n") { count &+= 1 } }
        line += count
        chunk.text = text
        return chunk
    }

    /// Skips the rest of a line that is too long and rejects it.
    private mutating func skipLine(_ source: ByteSource) throws(ImportError) -> ImportChunk {
        var chunk = ImportChunk()
        chunk.refusals = [.tooLong(line: line)]
        while !hasEnded {
            let block = try source.read()
            hasEnded = block.isEmpty
            if let end = block.firstIndex(of: UInt8(ascii: "\n")) {
                carry = Array(block[(end + 1)...])
                break
            }
        }
        line += 1
        return chunk
    }
}
