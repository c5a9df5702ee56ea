/// Reads NDJSON and passes its lines on unchanged.
struct LineReader: BufferedReader {
    var text: [UInt8] = []
    var position = 0
    var hasEnded = false
    private var line = 1

    mutating func next(_ source: ByteSource) throws(ImportError) -> ImportChunk? {
        var lines = completeLines
        while !hasEnded, lines.count < ImportChunk.recordCount, text.count - position < ImportChunk.target {
            try readMore(source)
            lines = completeLines
        }
        if hasEnded, lines.count < ImportChunk.recordCount { lines.end = text.count }
        if lines.end > position { return chunk(lines.end, lines.count) }
        return hasEnded ? nil : try skipLine(source)
    }

    /// The end of the complete lines that fit into a chunk, and their number.
    private var completeLines: (end: Int, count: Int) {
        text.withUnsafeBufferPointer { text in
            var (end, count) = (position, 0)
            var index = position
            while index < text.count, count < ImportChunk.recordCount {
                if text[index] == UInt8(ascii: "\n") { (end, count) = (index &+ 1, count &+ 1) }
                index &+= 1
            }
            return (end, count)
        }
    }

    private mutating func chunk(_ end: Int, _ count: Int) -> ImportChunk {
        var chunk = ImportChunk()
        chunk.firstLine = line
        chunk.text = Array(text[position..<end])
        line += count
        position = end
        return chunk
    }

    /// Skips the rest of a line that is too long and rejects it.
    private mutating func skipLine(_ source: ByteSource) throws(ImportError) -> ImportChunk {
        var chunk = ImportChunk()
        chunk.refusals = [.tooLong(line: line)]
        repeat {
            position = text.count
            try readMore(source)
        } while !hasEnded && !text.contains(UInt8(ascii: "\n"))
        position = text.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.count
        line += 1
        return chunk
    }
}
