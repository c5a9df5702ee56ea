import JSON

/// The problems of a document: the first of them, and the number of the others.
///
/// A short document can have millions of problems.
struct ProblemList {
    /// The most problems that are listed, and about the most bytes of all of them.
    private static let mostListed = 100
    private static let mostBytes = 32_768

    private(set) var listed: [String] = []
    /// The number of problems that are not listed.
    private(set) var others = 0
    private var bytes = 0

    var isEmpty: Bool { listed.isEmpty }

    /// Adds a problem, which is put into words only if it is listed.
    mutating func note(_ problem: @autoclosure () -> String) {
        guard listed.count < Self.mostListed, bytes < Self.mostBytes else {
            others += 1
            return
        }
        let text = problem()
        bytes += text.utf8.count
        listed.append(text)
    }
}

extension String {
    /// A name of a document as its problems quote it: of a long one, the beginning.
    var abbreviated: String { cut(toBytes: 256) }
}
