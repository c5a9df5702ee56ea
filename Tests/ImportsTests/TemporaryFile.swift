import CZlib
import Foundation
import Zlib

@testable import Imports

/// A file that is removed after the test.
final class TemporaryFile {
    let path: String

    init(_ text: String, name: String = "events.txt") throws {
        try FileManager.default.createDirectory(
            at: Self.directory.appending(path: "x"), withIntermediateDirectories: true)
        path = Self.directory.path + "/\(UUID().uuidString.prefix(8))-\(name)"
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    init(_ bytes: [UInt8], name: String = "events.txt") throws {
        try FileManager.default.createDirectory(
            at: Self.directory.appending(path: "x"), withIntermediateDirectories: true)
        path = Self.directory.path + "/\(UUID().uuidString.prefix(8))-\(name)"
        try Data(bytes).write(to: URL(filePath: path))
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    private static let directory = FileManager.default.temporaryDirectory.appending(path: "afterpush-imports")
}

/// The lines, rejections and error that a reader finds in a text.
struct Found {
    var lines: [String] = []
    var places: [Int] = []
    var refusals: [ImportRejection] = []
    var failure: ImportError?

    init(_ text: String, as format: FileFormat, raw: Bool = false) throws {
        try self.init(Array(text.utf8), as: format, raw: raw)
    }

    init(_ bytes: [UInt8], as format: FileFormat, raw: Bool = false) throws {
        let file = try TemporaryFile(bytes)
        var reader = format.reader(raw: raw)
        do throws(ImportError) {
            let source = try ByteSource(path: file.path)
            while let chunk = try reader.next(source) {
                for (place, line) in chunk.text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                    .dropLast(chunk.text.last == UInt8(ascii: "\n") ? 1 : 0).enumerated()
                where !chunk.text.isEmpty {
                    lines.append(String(decoding: line, as: UTF8.self))
                    places.append(chunk.line(place))
                }
                refusals += chunk.refusals
            }
            failure = source.damage
        } catch {
            failure = error
        }
    }
}

enum Zip {
    static func gzip(_ bytes: [UInt8]) -> [UInt8] { Gzip.compress(bytes) ?? [] }

    /// Returns the part of a damaged file that can be decompressed, by zlib's own functions.
    static func gunzip(_ bytes: [UInt8], atMost size: Int) -> [UInt8] {
        var stream = z_stream()
        inflateInit2_(&stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        defer { inflateEnd(&stream) }
        var input = bytes
        return input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = uInt(input.count)
            return [UInt8](unsafeUninitializedCapacity: size) { output, count in
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(size)
                inflate(&stream, Z_SYNC_FLUSH)
                count = size - Int(stream.avail_out)
            }
        }
    }
}
