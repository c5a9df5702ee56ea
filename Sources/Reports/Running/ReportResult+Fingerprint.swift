import Crypto
import Foundation

extension ReportResult {
    /// The same for results that say the same, whenever they were made: SHA-256 of report, columns and rows, in hex.
    package var fingerprint: String {
        var hash = SHA256()
        func add(_ text: String?) {
            // Lengths, so that no two lists of texts run together to the same bytes.
            let bytes = text.map { Data($0.utf8) }
            withUnsafeBytes(of: Int64(bytes?.count ?? -1).bigEndian) { hash.update(bufferPointer: $0) }
            if let bytes { hash.update(data: bytes) }
        }
        add(report)
        for entry in parameters {
            add(entry.parameter.name)
            add(entry.value)
        }
        for column in columns { add(column.name) }
        for row in rows { for value in row { add(value) } }
        return hash.finalize().prefix(16).map { String(format: "%02x", $0) }.joined()
    }
}
