import Foundation
import JSON

/// A body in parts (`multipart/form-data`, RFC 7578), of which the texts are read.
enum MultipartForm {
    /// The most parts that are read of one body, empty ones included.
    private static let partLimit = 100
    /// The longest separator of parts (RFC 2046, 5.1.1).
    private static let boundaryLimit = 70

    /// The parts that are no files, as parameters; `nil` if the media type is another or names no boundary.
    ///
    /// The time is that of reading the body once, whatever it holds.
    static func texts(_ body: [UInt8], contentType: String) -> [DialectRequest.Parameter]? {
        guard let name = contentType.range(of: "boundary=", options: .caseInsensitive) else { return nil }
        let boundary = contentType[name.upperBound...].prefix { $0 != ";" }.filter { $0 != "\"" && $0 != " " }
        guard !boundary.isEmpty, boundary.utf8.count <= boundaryLimit else { return nil }
        let (separator, blankLine) = (Array("--\(boundary)".utf8), Array("\r\n\r\n".utf8))
        var parameters: [DialectRequest.Parameter] = []
        var rest = after(separator, in: body[...])
        for _ in 0..<partLimit {
            guard let start = rest else { break }
            let end = place(of: separator, in: start) ?? start.endIndex
            if let parameter = text(of: start[..<end], blankLine) { parameters.append(parameter) }
            rest = after(separator, in: start[end...])
        }
        return parameters
    }

    /// The name and the value of a part; `nil` if it is a file or has no name.
    private static func text(of part: ArraySlice<UInt8>, _ blankLine: [UInt8]) -> DialectRequest.Parameter? {
        guard let end = place(of: blankLine, in: part) else { return nil }
        let header = String(lenient: part[..<end])
        guard !header.contains("filename="), let name = header.range(of: "name=\"") else { return nil }
        var value = part[(end + blankLine.count)...]
        if value.suffix(2) == [0x0D, 0x0A] { value = value.dropLast(2) }
        let title = header[name.upperBound...].prefix { $0 != "\"" }
        return DialectRequest.Parameter(String(title), String(lenient: value))
    }

    /// What follows the first occurrence of some bytes.
    private static func after(_ pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        place(of: pattern, in: bytes).map { bytes[($0 + pattern.count)...] }
    }

    /// Where some bytes occur first, by the algorithm of Knuth, Morris and Pratt, which looks at each byte once or twice.
    private static func place(of pattern: [UInt8], in bytes: ArraySlice<UInt8>) -> Int? {
        // For each length that matched: the longest shorter one that matches as well.
        var shorter = [0, 0]
        for byte in pattern.dropFirst() {
            var length = shorter[shorter.count - 1]
            while length > 0, pattern[length] != byte { length = shorter[length] }
            shorter.append(pattern[length] == byte ? length + 1 : 0)
        }
        return bytes.withUnsafeBufferPointer { buffer in
            var length = 0
            for place in buffer.indices {
                while length > 0, pattern[length] != buffer[place] { length = shorter[length] }
                if pattern[length] == buffer[place] { length += 1 }
                if length == pattern.count { return bytes.startIndex + place + 1 - length }
            }
            return nil
        }
    }
}
