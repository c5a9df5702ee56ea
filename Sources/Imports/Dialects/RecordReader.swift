/// Finds the records of a file, chunk by chunk, in memory that does not grow with the file.
protocol RecordReader {
    /// The next records; nil at the end of the file.
    mutating func next(_ source: ByteSource) throws(ImportError) -> ImportChunk?
}
