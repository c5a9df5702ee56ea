import Foundation
import Logging

/// The file of Chart.js, which draws the dashboard's charts.
///
/// The program doesn't contain it, so that it is updated with the system.
struct ChartsFile: Sendable {
    /// The path of the file in Debian's package libjs-chart.js.
    private static let debian = "/usr/share/javascript/chart.js/chart.min.js"

    let path: String

    /// Creates a reference to a file.
    ///
    /// - Parameter path: The path, or nil for the file of Debian's package.
    init(path: String?) {
        self.path = path ?? Self.debian
    }

    /// Reads the file. If it is missing or empty, logs a warning and returns nil.
    func read(_ logger: Logger) -> [UInt8]? {
        if let data = FileManager.default.contents(atPath: path), !data.isEmpty { return Array(data) }
        logger.warning(
            """
            the dashboard has tables but no charts: Chart.js was not found; install libjs-chart.js, or set AFTERPUSH_CHARTS \
            to its file
            """, metadata: ["path": "\(path)"])
        return nil
    }
}
