package import Postgres

/// Rows of values in the server's text, wherever they stand.
package protocol ValueRows: RandomAccessCollection where Index == Int {
    /// Calls `body` with each value of a row and its place in it; nil is null.
    func forEachValue<Failure>(
        ofRow row: Int, _ body: (_ place: Int, _ value: UnsafeBufferPointer<UInt8>?) throws(Failure) -> Void
    ) throws(Failure)
}

/// Of a result in text format.
extension Rows: ValueRows {
    package func forEachValue<Failure>(
        ofRow row: Int, _ body: (_ place: Int, _ value: UnsafeBufferPointer<UInt8>?) throws(Failure) -> Void
    ) throws(Failure) {
        try self[row].forEachValue(body)
    }
}
