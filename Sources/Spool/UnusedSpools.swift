/// The spools of a directory that no collector uses. None can use them for as long as this object exists.
package final class UnusedSpools: Sendable {
    private let locks: [SpoolFileLock]

    /// Takes the spools that can be taken.
    ///
    /// - Parameter owner: Identifies the database to which they belong.
    package init(in directory: String, owner: String) {
        locks = (0..<SpoolFileLock.limit).compactMap { number in
            (try? SpoolFileLock.takeLeft(number, in: directory, owner: owner)) ?? nil
        }
    }

    /// The texts that identify them in the database.
    package var identities: [String] { locks.map(\.identity) }
}
