/// Finds the records of a file, chunk by chunk, in memory that does not grow with the file.
protocol RecordReader {
    /// The next records; nil at the end of the file.
    mutating func next(_ source: ByteSource) throws(ImportError) -> ImportChunk?
}

extension [UInt8] {
    /// Leaves out what follows the last line end.
    mutating func removeTornLine() {
        let end = lastIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.map { $0 + 1 } ?? 0
        removeSubrange(end...)
    }
}
