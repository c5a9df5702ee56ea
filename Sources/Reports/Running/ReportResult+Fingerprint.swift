import Crypto
import Foundation

extension ReportResult {
    /// The same for results that say the same, whenever they were made: SHA-256 of report, columns and rows, in hex.
    package var fingerprint: String {
        var digest = Digest()
        digest.add(report)
        for entry in parameters {
            digest.add(entry.parameter.name)
            digest.add(entry.value)
        }
        for column in columns { digest.add(column.name) }
        for row in rows { digest.add(row) }
        return digest.hex
    }

    private struct Digest {
        private var hash = SHA256()
        private var bytes: [UInt8] = []

        // Lengths, so that no two lists of texts run together to the same bytes.

        mutating func add(_ text: String) {
            add([text] as ReportRow)
        }

        mutating func add(_ row: ReportRow) {
            row.ends.withUnsafeBytes { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: row.bytes)
            guard bytes.count > 16_384 else { return }
            hash.update(data: bytes)
            bytes.removeAll(keepingCapacity: true)
        }

        var hex: String {
            var whole = hash
            whole.update(data: bytes)
            return whole.finalize().prefix(16).map { String(format: "%02x", $0) }.joined()
        }
    }
}
