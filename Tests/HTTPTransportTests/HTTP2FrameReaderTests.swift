import NIOCore
import RawHTTP2
import Testing

@testable import HTTPTransport

struct HTTP2FrameReaderTests {
    private func events(_ pieces: [[UInt8]], hasPreface: Bool = false) -> [HTTP2FrameReader.Event] {
        var reader = HTTP2FrameReader(hasPreface: hasPreface)
        var events: [HTTP2FrameReader.Event] = []
        for piece in pieces {
            reader.read(ByteBuffer(bytes: piece)) { event in
                // The place of the head depends on the pieces.
                if case .data(let stream, let count, let isPadded, _) = event {
                    events.append(.data(stream: stream, count: count, isPadded: isPadded, endIndex: 0))
                } else {
                    events.append(event)
                }
            }
        }
        return events
    }

    private let frames =
        HTTP2Bytes.preface + HTTP2Bytes.settings(initialWindow: 1_234) + HTTP2Bytes.headers(stream: 1, "/livez")
        + HTTP2Bytes.frame(type: 4, flags: 1, [])
        + HTTP2Bytes.frame(type: 4, [0, 3, 0, 0, 0, 100, 0, 4, 0x7F, 0xFF, 0xFF, 0xFF, 0, 5, 0, 0, 0x40, 0])
        + HTTP2Bytes.data(stream: 3, [UInt8](repeating: 8, count: 300)) + HTTP2Bytes.windowUpdate(stream: 0, by: 70_000)
        + HTTP2Bytes.frame(type: 6, [1, 2, 3, 4, 5, 6, 7, 8]) + HTTP2Bytes.windowUpdate(stream: 0x7FFF_FFFF, by: 1)
        + HTTP2Bytes.frame(type: 5, flags: 4, stream: 1, [0, 0, 0, 2]) + HTTP2Bytes.frame(type: 10, [1])
        + HTTP2Bytes.frame(type: 0x77, []) + HTTP2Bytes.data(stream: 5, [2, 7, 0, 0], flags: 9)
        + HTTP2Bytes.reset(stream: 7)

    private let expected: [HTTP2FrameReader.Event] = [
        .initialWindow(1_234), .headers(stream: 1), .otherSetting, .initialWindow(0x7FFF_FFFF), .otherSetting,
        .data(stream: 3, count: 300, isPadded: false, endIndex: 0),
        .windowUpdate(stream: 0, increment: 70_000), .windowUpdate(stream: 0x7FFF_FFFF, increment: 1), .pushPromise,
        .unknown, .unknown, .data(stream: 5, count: 4, isPadded: true, endIndex: 0), .reset(stream: 7),
    ]

    @Test(arguments: [1, 2, 5, 7, 9, 13, 100, 10_000])
    func `frames are read in pieces of any size`(size: Int) {
        let pieces = stride(from: 0, to: frames.count, by: size).map { Array(frames[$0...].prefix(size)) }
        #expect(events(pieces, hasPreface: true) == expected)
    }

    @Test func `settings and increments of a wrong length are skipped`() {
        let wrong =
            HTTP2Bytes.frame(type: 4, [0, 4, 0, 0, 1, 0, 9]) + HTTP2Bytes.frame(type: 8, [1, 2, 3])
            + HTTP2Bytes.frame(type: 4, []) + HTTP2Bytes.data(stream: 1, [])
        let expected: [HTTP2FrameReader.Event] = [
            .initialWindow(256), .data(stream: 1, count: 0, isPadded: false, endIndex: 0),
        ]
        #expect(events([wrong]) == expected)
        #expect(events(wrong.map { [$0] }) == expected)
    }

    @Test func `a header block is incomplete until its last frame has ended, and DATA never is`() {
        var reader = HTTP2FrameReader(hasPreface: true)
        func read(_ bytes: [UInt8]) { reader.read(ByteBuffer(bytes: bytes)) { _ in } }
        read(HTTP2Bytes.preface + HTTP2Bytes.settings())
        #expect(!reader.isIncomplete)
        #expect(reader.completed == 1)
        read(HTTP2Bytes.headers(stream: 1, "/", flags: HTTP2Bytes.endStream))
        #expect(reader.isIncomplete)
        read(HTTP2Bytes.frame(type: 9, stream: 1, [0x82]))
        #expect(reader.isIncomplete)
        #expect(reader.completed == 1)
        read(HTTP2Bytes.frame(type: 9, flags: HTTP2Bytes.endHeaders, stream: 1, []))
        #expect(!reader.isIncomplete)
        #expect(reader.completed == 2)
        let data = HTTP2Bytes.data(stream: 1, [1, 2, 3])
        read(Array(data[..<8]))
        #expect(reader.isIncomplete)
        read(Array(data[8..<10]))
        #expect(!reader.isIncomplete)
        read(Array(data[10...]) + [0])
        #expect(reader.isIncomplete)
        #expect(reader.completed == 3)
    }

    @Test func `the stream of DATA is reported with its place`() {
        let bytes = HTTP2Bytes.data(stream: 1, [1, 2]) + HTTP2Bytes.data(stream: 3, [])
        func places(_ pieces: [UInt8]...) -> [Int] {
            var reader = HTTP2FrameReader(hasPreface: false)
            var places: [Int] = []
            for piece in pieces {
                reader.read(ByteBuffer(bytes: piece)) { event in
                    if case .data(_, _, _, let endIndex) = event { places.append(endIndex) }
                }
            }
            return places
        }
        #expect(places(bytes) == [9, 20])
        #expect(places(Array(bytes.prefix(7)), Array(bytes.dropFirst(7))) == [2, 13])
    }

    @Test func `the size of the header table is reported with its place`() {
        let frame = HTTP2Bytes.frame(type: 4, [0, 1, 0, 0, 0x20, 0, 0, 4, 0, 0, 1, 0])
        #expect(events([frame]) == [.headerTable(8_192, endIndex: 15), .initialWindow(256)])
        let split = [Array(frame.prefix(13)), Array(frame.dropFirst(13))]
        #expect(events(split).first == .headerTable(8_192, endIndex: 2))
    }
}
