extension Rejection {
    package init(_ reader: inout BinaryReader) throws(BinaryFormatError) {
        index = Int(try reader.number(UInt32.self))
        eventID = try reader.optionalText()
        code = try reader.word()
        detail = try reader.text()
        submittedEvent = try reader.optionalText()
    }

    package func write(to writer: inout BinaryWriter) {
        writer.write(UInt32(clamping: index))
        writer.write(eventID)
        writer.write(code.rawValue)
        writer.write(detail)
        writer.write(submittedEvent)
    }
}
