import Files
import Foundation
import Glibc

/// Finds entries in a file that SQLite can't read, page by page, by the mark before each entry.
struct SpoolSalvage {
    /// A record; if it is incomplete, it ends with its page at the latest.
    enum Found {
        case whole(record: ArraySlice<UInt8>, events: Int)
        case broken(bytes: ArraySlice<UInt8>)
    }

    /// Visits everything in a file that looks like an entry.
    static func visit(_ path: String, _ body: (Found) throws -> Void) throws {
        let file = FileHandle(fileDescriptor: try RegularFile.open(path, O_RDONLY), closeOnDealloc: false)
        defer { try? file.close() }
        while let page = try file.read(upToCount: SpoolFile.pageSize), !page.isEmpty {
            try visit(page: Array(page), body)
        }
    }

    /// Overwrites the intact entries of a file, which are in the spool by now, so that an erasure need not search it.
    static func blank(_ path: String) throws {
        let file = FileHandle(fileDescriptor: try RegularFile.open(path, O_RDWR), closeOnDealloc: false)
        defer { try? file.close() }
        var start: UInt64 = 0
        while let page = try file.read(upToCount: SpoolFile.pageSize), !page.isEmpty {
            try visit(page: Array(page)) { found in
                guard case .whole(let record, _) = found else { return }
                try file.seek(toOffset: start + UInt64(record.startIndex))
                try file.write(contentsOf: Data(count: record.count))
            }
            start += UInt64(page.count)
            try file.seek(toOffset: start)
        }
        try file.synchronize()
    }

    /// Visits the records of a page, last to first because SQLite fills a page from its end.
    ///
    /// A record never extends over two pages.
    static func visit(page: [UInt8], _ body: (Found) throws -> Void) rethrows {
        for found in records(of: page).reversed() { try body(found) }
    }

    private static func records(of page: [UInt8]) -> [Found] {
        var found: [Found] = []
        var position = 0
        while let start = nextMark(in: page, from: position) {
            if let (entry, events) = SpoolRecord.entry(in: page[start...]) {
                found.append(.whole(record: page[start..<entry.endIndex], events: events))
                position = entry.endIndex
            } else {
                let end = nextMark(in: page, from: start + 1) ?? page.count
                found.append(.broken(bytes: page[start..<end]))
                position = end
            }
        }
        return found
    }

    private static func nextMark(in page: [UInt8], from position: Int) -> Int? {
        var rest = page[min(position, page.count)...]
        while let start = rest.firstIndex(of: SpoolRecord.mark[0]) {
            rest = page[start...]
            if rest.starts(with: SpoolRecord.mark) { return start }
            rest = rest.dropFirst()
        }
        return nil
    }
}
