package import Logging

/// A log handler that writes each event as one line.
///
/// A repeated warning or error is written at most every ten seconds, with the number of lines that were left out, so that
/// an unavailable database doesn't fill a disk.
package struct LineLogHandler: LogHandler {
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    package var logLevel: Logger.Level = .info

    private let label: String
    private let output: LogOutput

    package init(label: String, output: LogOutput) {
        self.label = label
        self.output = output
    }

    package subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let stated = event.metadata { all.merge(stated) { $1 } }
        if let error = event.error { all["error"] = "\(error)" }
        output.write(level: event.level, label: label, message: event.message.description, metadata: all)
    }
}
