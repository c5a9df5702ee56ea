extension Rejection {
    init(_ reader: inout EntryReader) throws(SpoolEntryError) {
        index = Int(try reader.number(UInt32.self))
        eventID = try reader.optionalText()
        code = try reader.word()
        detail = try reader.text()
        submittedEvent = try reader.optionalText()
    }

    func write(to writer: inout EntryWriter) {
        writer.write(UInt32(clamping: index))
        writer.write(eventID)
        writer.write(code.rawValue)
        writer.write(detail)
        writer.write(submittedEvent)
    }
}
