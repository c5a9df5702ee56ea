import Foundation
import Logging

/// The file of Chart.js, which draws the dashboard's charts. It is not in the program: the system's own gets the
/// system's updates.
struct ChartsFile: Sendable {
    /// Where Debian's package libjs-chart.js puts it.
    private static let debian = "/usr/share/javascript/chart.js/chart.min.js"

    let path: String

    /// - Parameter path: without one, Debian's.
    init(path: String?) {
        self.path = path ?? Self.debian
    }

    /// Nil, and a line in the log, if it is not there.
    func read(_ logger: Logger) -> [UInt8]? {
        if let data = FileManager.default.contents(atPath: path), !data.isEmpty { return Array(data) }
        logger.warning(
            """
            the dashboard has tables but no charts: Chart.js is not there; install libjs-chart.js, or set AFTERPUSH_CHARTS \
            to its file
            """, metadata: ["path": "\(path)"])
        return nil
    }
}
