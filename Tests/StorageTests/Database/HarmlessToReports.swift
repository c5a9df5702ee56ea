/// What a dashboard's login can reach beyond the rows of its app, and why that does no harm.
///
/// An entry is a pattern for whole names, and a sentence. docs/report-isolation.md says the same for people.
enum HarmlessToReports {
    typealias Entry = (names: String, reason: String)

    /// Returns the reason of the first entry that matches a name.
    static func reason(_ name: String, in entries: [Entry]) throws -> String? {
        try entries.first { try Regex($0.names).wholeMatch(in: name) != nil }?.reason
    }

    /// Tables and views without rows of one app, by name without `pg_catalog` and `afterpush`.
    static let relations: [Entry] = [
        ("metric_definitions", "What the columns of reports mean is the same for every app."),
        ("spools", "A spool holds events of all apps; the report health shows how many, and nothing about them."),
        ("rollup_worker", "Its only row says before which time events may be gone, the same for every app."),
        ("retention_deletions", "Its two rows say how often retention has deleted rows, of whatever app."),
        ("information_schema\\..*", "The schema, which is public, as far as the login has privileges on it."),
        (
            "pg_(class|attribute|attrdef|index|indexes|inherits|partitioned_table|constraint|sequence|sequences)",
            "The schema; the number of rows in pg_class is an estimate over all apps."
        ),
        (
            "pg_(proc|views|rules|rewrite|policy|policies|trigger|tables|matviews|namespace|type|enum|range|depend)",
            "The schema, which is public."
        ),
        (
            "pg_(description|init_privs|default_acl|shdepend|shdescription|seclabels?|shseclabel|statistic_ext)",
            "The schema's comments, privileges and dependencies."
        ),
        (
            "pg_(aggregate|am|amop|amproc|cast|collation|conversion|language|opclass|operator|opfamily|transform)",
            "PostgreSQL's own types and operators."
        ),
        ("pg_(ts_.*|timezone_.*|available_.*|extension|event_trigger|tablespace)", "What the server has installed."),
        (
            "pg_(foreign_.*|user_mappings|publication.*|subscription.*|replication_origin)",
            "Afterpush has none; PostgreSQL hides passwords and connection strings in them."
        ),
        ("pg_largeobject_metadata", "Afterpush has none; the content would be in another table."),
        (
            "pg_(roles|user|group|auth_members|db_role_setting|database|parameter_acl)",
            "Names of logins and databases, and settings, of which none is a secret."
        ),
        ("pg_(settings|file_settings)", "Settings of the server and the session; PostgreSQL hides those with secrets."),
        ("pg_stats.*", "PostgreSQL hides samples of columns of tables with row-level security."),
        (
            "pg_stat_(activity|ssl|gssapi|progress_.*|replication.*|wal_receiver|recovery_prefetch)",
            "Sessions; of those of other logins PostgreSQL shows the name and hides the statement."
        ),
        ("pg_stat(io)?_.*", "Counters over all apps: how many rows and calls, and no content."),
        (
            "pg_(locks|prepared_xacts|replication_slots)",
            "Which process holds which lock; Afterpush has none of the rest."
        ),
        (
            "pg_(cursors|prepared_statements)",
            "The session's own; the collector removes its statements before an own report begins."
        ),
    ]

    /// Functions that may have effects, by name without `pg_catalog`.
    static let functions: [Entry] = [
        (
            "RI_FKey_.*|suppress_redundant_updates_trigger|tsvector_update_trigger.*|unique_key_recheck",
            "Triggers, which can't be called."
        ),
        (
            ".*handler|plpgsql_.*|amvalidate|dsnowball_.*|bernoulli|system",
            "The server calls them with values that no statement can write."
        ),
        (
            "binary_upgrade_.*|pg_stop_making_pinned_objects|pg_nextoid|pg_import_system_collations",
            "They refuse everybody but a superuser or pg_upgrade."
        ),
        (
            "pg_extension_config_dump|pg_read_file_old|pg_rotate_logfile_old",
            "They refuse everybody but a superuser or the script of an extension."
        ),
        ("brin_.*|gin_clean_pending_list", "They refuse everybody but the owner of the index."),
        ("pg_advisory_unlock.*", "They release locks of the session, which it can't take."),
        ("pg_(cancel|terminate)_backend", "They refuse sessions of other logins."),
        ("pg_(copy|create|drop)_.*slot|pg_(logical|replication)_slot_.*", "They refuse roles without REPLICATION."),
        ("nextval|setval|currval|lastval|pg_sequence_last_value", "The login has no privilege on any sequence."),
        ("(query|cursor)_to_xml.*|ts_rewrite|ts_stat", "They run a query that only reads, with the login's rights."),
        ("set_config", "It does what SET does; see the settings."),
        (
            "pg_notify|pg_notification_queue_usage",
            "Afterpush listens to nothing, and the transaction of an own report is rolled back."
        ),
        ("pg_sleep.*", "They wait, as long as the time limit allows."),
        ("pg_.*_size", "Sizes of tables over all apps."),
        (
            "clock_timestamp|timeofday|gen_random_uuid|random|setseed|current_query|currtid2",
            "Values of the session itself."
        ),
        (
            "pg_(blocking_pids|safe_snapshot_blocking_pids|isolation_test_session_is_blocked|lock_status|prepared_xact)",
            "Which process waits for which."
        ),
        (
            "pg_(control|current_wal|last|get|is|jit|partition|stat|xact|collation|database_collation)_.*|txid_status",
            "The state of the server and its transactions, without content."
        ),
    ]

    /// Settings whose effect needs a sentence of their own.
    static let settings: [Entry] = [
        (
            "statement_timeout|lock_timeout|idle_in_transaction_session_timeout|idle_session_timeout",
            "A login can turn them off; the collector ends its transactions after a minute."
        ),
        (
            "transaction_timeout", "A login can turn it off; the collector ends its transactions after a minute."
        ),
        (
            "work_mem|hash_mem_multiplier|maintenance_work_mem|temp_buffers|logical_decoding_work_mem",
            "Not bounded: a login can use up memory, as docs/report-isolation.md says."
        ),
        ("row_security", "Off means an error instead of rows, not more rows."),
        (
            "(default_)?transaction_read_only",
            "The login has no privilege to write, so read-write transactions don't help."
        ),
        ("debug_.*|trace_.*|log_.*", "They write to the server's log, which role.sql turns off for the login."),
        ("synchronous_commit|commit_siblings|wal_.*", "The login commits nothing."),
        ("local_preload_libraries", "Only files that an administrator has put into one directory."),
        ("max_parallel_.*", "The server bounds parallel workers by max_worker_processes."),
    ]

    /// Categories of settings that change how the login's own statements are written, planned or shown.
    static let settingCategories: [Entry] = [
        ("Client Connection Defaults / .*", "How the session reads and shows values."),
        ("Connections and Authentication / .*", "The session's own connection, and its password's hash."),
        ("Developer Options|Error Handling|Replication / .*|Statistics / .*", "The session alone."),
        ("Query Tuning / .*", "The plans of the session's statements."),
        ("Reporting and Logging / What to Log", "The name that pg_stat_activity shows."),
        ("Resource Usage / (Asynchronous Behavior|Cost-Based Vacuum Delay)", "How fast the session's statements read."),
        ("Version and Platform Compatibility / .*", "How the session reads and shows values."),
    ]
}
