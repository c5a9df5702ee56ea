import Crypto
import Foundation

extension ReportResult {
    /// The same for results that say the same, whenever they were made: SHA-256 of report, columns and rows, in hex.
    package var fingerprint: String {
        var hash = SHA256()
        var bytes: [UInt8] = []
        func add(_ text: String?) {
            // Lengths, so that no two lists of texts run together to the same bytes.
            withUnsafeBytes(of: Int64(text?.utf8.count ?? -1).bigEndian) { bytes.append(contentsOf: $0) }
            if let text { bytes.append(contentsOf: text.utf8) }
            guard bytes.count > 16_384 else { return }
            hash.update(data: bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        add(report)
        for entry in parameters {
            add(entry.parameter.name)
            add(entry.value)
        }
        for column in columns { add(column.name) }
        for row in rows { for value in row { add(value) } }
        hash.update(data: bytes)
        return hash.finalize().prefix(16).map { String(format: "%02x", $0) }.joined()
    }
}
