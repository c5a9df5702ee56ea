import Postgres
import SQLFiles

/// Gives a transaction of the collector access to the rows of one app.
package enum ReportAccess {
    /// Returns the statements that open an app to the report role until the transaction ends.
    ///
    /// They are literal text, because the message that begins the transaction takes no parameters.
    package static func opening(app: Int32) -> String {
        SQLFiles.beginReport.text.replacing(":'app'", with: SQLText.literal(String(app)))
    }
}
