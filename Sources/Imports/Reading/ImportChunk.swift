/// Some records of a file, each as the JSON of an event on a line of its own.
struct ImportChunk: Sendable {
    /// About so many bytes make a chunk: some thousand events, which are one group.
    static let target = 1 << 20
    /// A record that is longer is not kept in memory. The limit of an event is far below.
    static let recordLimit = 1 << 20

    /// The file's place among those that are imported.
    var file = 0
    var text: [UInt8] = []
    /// Where the first line of `text` stands in the file; the others follow.
    var firstLine = 1
    /// Where each line of `text` stands in the file, if they don't follow each other.
    var lines: [Int] = []
    /// Records of which there is no line.
    var refusals: [ImportRejection] = []

    var isFull: Bool { text.count >= Self.target || refusals.count >= 10_000 }
    var isEmpty: Bool { text.isEmpty && refusals.isEmpty }

    /// Adds a record.
    mutating func append(_ record: some Sequence<UInt8>, line: Int) {
        text.append(contentsOf: record)
        text.append(UInt8(ascii: "\n"))
        lines.append(line)
    }

    /// Where a line of `text`, counted from 0, stands in the file.
    func line(_ place: Int) -> Int {
        lines.indices.contains(place) ? lines[place] : firstLine + place
    }
}
