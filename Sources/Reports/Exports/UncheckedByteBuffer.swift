/// A buffer with enough reserved space, so that appending a byte needs no capacity check.
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
}
