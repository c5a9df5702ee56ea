/// Some records of a file, each as the JSON of an event on a line of its own.
struct ImportChunk: Sendable {
    /// Approximate size of a chunk in bytes: some thousand events, which form one group.
    static let target = 1 << 20
    /// A record that is longer is not kept in memory. The limit of an event is far below.
    static let recordLimit = 1 << 20

    /// The file's place among those that are imported.
    var file = 0
    var text: [UInt8] = []
    /// The line number of the first line of `text` in the file; the others follow.
    var firstLine = 1
    /// The line numbers of `text` in the file, if they are not consecutive.
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

    /// Returns the line number in the file of a line of `text`, counted from 0.
    func line(_ place: Int) -> Int {
        lines.indices.contains(place) ? lines[place] : firstLine + place
    }
}
