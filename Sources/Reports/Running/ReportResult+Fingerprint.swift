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
        digest.add(rows)
        digest.add(isTruncated ? "truncated" : "whole")
        return digest.hex
    }

    private struct Digest {
        private var hash = SHA256()

        mutating func add(_ text: String) {
            add([[text]])
        }

        /// Lengths too, so that no two lists of texts run together to the same bytes.
        mutating func add(_ rows: ReportRows) {
            rows.ends.withUnsafeBytes { hash.update(bufferPointer: $0) }
            rows.bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        }

        var hex: String {
            hash.finalize().prefix(16).map { String(format: "%02x", $0) }.joined()
        }
    }
}
