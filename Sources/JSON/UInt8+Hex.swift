extension [UInt8] {
    /// Returns the UTF-16 unit that four hexadecimal digits spell, or `nil` if there are fewer before `end`.
    package func hexUnit(at start: Int, end: Int) -> UInt16? {
        guard start + 4 <= end else { return nil }
        var unit: UInt16 = 0
        for position in start..<start + 4 {
            guard let digit = self[position].hexValue else { return nil }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}

extension UInt8 {
    /// The value of an ASCII hexadecimal digit in either case, or `nil` for any other byte.
    package var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
