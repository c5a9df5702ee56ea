import CLibpq

/// The owner of a libpq result.
// Safe: libpq doesn't change a result after returning it, and all calls here only read.
final class ResultHandle: @unchecked Sendable {
    enum ErrorField: Int32 {
        case severity = 86  // 'V', which is not translated, unlike 'S'
        case sqlState = 67  // 'C'
        case message = 77  // 'M'
        case hint = 72  // 'H'
        case position = 80  // 'P'
    }

    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        PQclear(self.pointer)
    }

    var status: ExecStatusType { PQresultStatus(self.pointer) }
    var rowCount: Int { Int(PQntuples(self.pointer)) }
    var columnCount: Int { Int(PQnfields(self.pointer)) }

    /// The command's name, such as COMMIT, or ROLLBACK for a COMMIT that rolled back.
    var commandTag: String { PQcmdStatus(self.pointer).map { String(cString: $0) } ?? "" }

    /// The number of rows inserted, updated, deleted or returned.
    var affected: Int { PQcmdTuples(self.pointer).flatMap { Int(String(cString: $0)) } ?? 0 }

    var errorMessage: String? { PQresultErrorMessage(self.pointer).map { String(cString: $0) } }

    func errorField(_ field: ErrorField) -> String? {
        PQresultErrorField(self.pointer, field.rawValue).map { String(cString: $0) }
    }

    /// Returns the bytes of a value, or `nil` for NULL; they are valid as long as this handle exists.
    func value(row: Int, column: Int) -> UnsafeRawBufferPointer? {
        let (row, column) = (Int32(row), Int32(column))
        guard PQgetisnull(self.pointer, row, column) == 0 else { return nil }
        let length = Int(PQgetlength(self.pointer, row, column))
        return UnsafeRawBufferPointer(start: PQgetvalue(self.pointer, row, column), count: length)
    }
}
