import Crypto
import Foundation

extension ReportResult {
    /// The SHA-256 of report, parameters, columns and rows, truncated to 128 bits, in hexadecimal digits.
    ///
    /// It is equal for results with the same content, whenever they were computed.
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

        /// Adds rows with the lengths of their values, so that different lists of texts never give the same bytes.
        mutating func add(_ rows: ReportRows) {
            rows.ends.withUnsafeBytes { hash.update(bufferPointer: $0) }
            rows.bytes.withUnsafeBytes { hash.update(bufferPointer: $0) }
        }

        var hex: String {
            hash.finalize().prefix(16).map { String(format: "%02x", $0) }.joined()
        }
    }
}
