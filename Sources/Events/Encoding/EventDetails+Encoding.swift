import AfterpushWire

extension EventDetails {
    package func write(to writer: inout BinaryWriter) {
        writer.write(surface)
        writer.write(trigger?.rawValue)
        writer.write(appState)
        writer.write(appVersion)
        writer.write(osVersion)
        writer.write(locale)
        writer.write(utcOffsetMinutes) { $0.write($1) }
        writer.write(dismissCause)
        writer.write(handling?.rawValue)
        writer.write(reason)
        writer.write(name)
        writer.write(value)
        writer.write(currency)
        writer.write(properties)
    }
}
