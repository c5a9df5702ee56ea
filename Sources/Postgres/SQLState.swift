/// A five-character error code of PostgreSQL.
struct SQLState {
    private let code: String

    init(_ code: String) {
        self.code = code
    }

    /// The condition's name in PostgreSQL's documentation, for the codes that an operator is likely to see.
    var name: String? { Self.names[self.code] }

    /// Whether the same work can succeed later without a change.
    var isTransient: Bool {
        // 08 connection, 40 serialization and deadlock, 53 resources, 57 cancelled or shut down, 58 I/O.
        ["08", "40", "53", "57", "58"].contains { self.code.hasPrefix($0) }
            || ["55P03", "55006", "25006", "25P03", "26000"].contains(self.code)
    }

    /// Whether the server's primary message for this code names only objects and limits, never a value.
    ///
    /// The list has the safe classes. The others: 22 and 23 quote data, P0 is a message of a function, 28 and 3D quote
    /// the connection string, 42601 quotes the statement, and XX can contain anything.
    var messageIsSafe: Bool {
        self.code != "42601"
            && ["0A", "25", "26", "40", "42", "53", "54", "55", "57"].contains { self.code.hasPrefix($0) }
    }

    static let names = [
        "08006": "connection_failure", "08P01": "protocol_violation", "0A000": "feature_not_supported",
        "22001": "string_data_right_truncation", "22003": "numeric_value_out_of_range",
        "22021": "character_not_in_repertoire", "22P02": "invalid_text_representation",
        "22P03": "invalid_binary_representation", "22P05": "untranslatable_character",
        "23502": "not_null_violation", "23503": "foreign_key_violation", "23505": "unique_violation",
        "23514": "check_violation", "25006": "read_only_sql_transaction", "25P02": "in_failed_sql_transaction",
        "26000": "invalid_sql_statement_name", "28000": "invalid_authorization_specification",
        "28P01": "invalid_password", "3D000": "invalid_catalog_name", "40001": "serialization_failure",
        "40P01": "deadlock_detected", "42501": "insufficient_privilege", "42601": "syntax_error",
        "42703": "undefined_column", "42883": "undefined_function", "42P01": "undefined_table",
        "42P07": "duplicate_table", "53100": "disk_full", "53200": "out_of_memory", "53300": "too_many_connections",
        "55P03": "lock_not_available", "57014": "query_canceled", "57P01": "admin_shutdown",
        "57P02": "crash_shutdown", "57P03": "cannot_connect_now", "57P05": "idle_session_timeout",
        "58030": "io_error", "P0001": "raise_exception", "XX000": "internal_error", "XX001": "data_corrupted",
    ]
}
