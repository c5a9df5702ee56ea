/// Bytes in a buffer with enough reserved space, so that appending a byte needs no capacity check.
struct UncheckedByteBuffer {
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        self.buffer = buffer
    }

    subscript(place: Int) -> UInt8 {
        get { buffer[place] }
        nonmutating set { buffer[place] = newValue }
    }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        buffer[count] = byte
        count &+= 1
    }

    @inline(__always)
    mutating func append(_ bytes: [UInt8]) {
        for byte in bytes { append(byte) }
    }

    @inline(__always)
    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { for byte in $0 { append(byte) } }
    }

    mutating func removeLast(_ number: Int) {
        count -= number
    }

    /// Takes six bytes at most.
    mutating func append(jsonEscaped byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0D: append(UInt8(ascii: "r"))
        case 0x09: append(UInt8(ascii: "t"))
        default:
            append(byte < 0x10 ? "u000" : "u001")
            append(byte & 15 < 10 ? UInt8(ascii: "0") + byte & 15 : UInt8(ascii: "a") - 10 + byte & 15)
        }
    }
}
