/// The files of this folder, as they are in the binary.
///
/// A file that is missing here is not in the program: a test holds the lists against the folders.
package enum SQLFiles {
    /// Released migrations, oldest first. They are never edited.
    package static let migrations: [SQLFile] = [
        SQLFile("V0001_schema_and_roles", PackageResources.V0001_schema_and_roles_sql),
        SQLFile("V0002_registry", PackageResources.V0002_registry_sql),
        SQLFile("V0003_events", PackageResources.V0003_events_sql),
        SQLFile("V0004_deliveries", PackageResources.V0004_deliveries_sql),
        SQLFile("V0005_rollups", PackageResources.V0005_rollups_sql),
        SQLFile("V0006_rollup_worker", PackageResources.V0006_rollup_worker_sql),
        SQLFile("V0007_statistics", PackageResources.V0007_statistics_sql),
        SQLFile("V0008_report_functions", PackageResources.V0008_report_functions_sql),
        SQLFile("V0009_metric_definitions", PackageResources.V0009_metric_definitions_sql),
        SQLFile("V0010_privileges", PackageResources.V0010_privileges_sql),
        SQLFile("V0011_faster_rollups", PackageResources.V0011_faster_rollups_sql),
        SQLFile("V0012_receipts", PackageResources.V0012_receipts_sql),
        SQLFile("V0013_partitions_under_load", PackageResources.V0013_partitions_under_load_sql),
        SQLFile("V0014_distributions_and_tests", PackageResources.V0014_distributions_and_tests_sql),
        SQLFile("V0015_report_deliveries", PackageResources.V0015_report_deliveries_sql),
        SQLFile("V0016_definitions_of_columns", PackageResources.V0016_definitions_of_columns_sql),
        SQLFile("V0019_retention_and_erasure", PackageResources.V0019_retention_and_erasure_sql),
        SQLFile("V0020_confined_reports", PackageResources.V0020_confined_reports_sql),
        SQLFile("V0021_health", PackageResources.V0021_health_sql),
        SQLFile("V0022_events_and_responses", PackageResources.V0022_events_and_responses_sql),
        SQLFile("V0023_times_of_openings", PackageResources.V0023_times_of_openings_sql),
        SQLFile("V0024_keys_of_action_sets", PackageResources.V0024_keys_of_action_sets_sql),
        SQLFile("V0030_names", PackageResources.V0030_names_sql),
        SQLFile("V0035_sessions", PackageResources.V0035_sessions_sql),
        SQLFile("V0036_wider_days", PackageResources.V0036_wider_days_sql),
        SQLFile("V0037_report_counts", PackageResources.V0037_report_counts_sql),
        SQLFile("V0038_anchors_out_of_order", PackageResources.V0038_anchors_out_of_order_sql),
        SQLFile("V0039_faster_rebuild", PackageResources.V0039_faster_rebuild_sql),
        SQLFile("V0041_definitions_of_terms", PackageResources.V0041_definitions_of_terms_sql),
        SQLFile("V0044_faster_quantiles", PackageResources.V0044_faster_quantiles_sql),
        SQLFile("V0045_slow_reports", PackageResources.V0045_slow_reports_sql),
        SQLFile("V0046_rebuild_what_differs", PackageResources.V0046_rebuild_what_differs_sql),
        SQLFile("V0047_rebuild_in_parallel", PackageResources.V0047_rebuild_in_parallel_sql),
        SQLFile("V0048_unknown_apps", PackageResources.V0048_unknown_apps_sql),
        SQLFile("V0049_report_counts", PackageResources.V0049_report_counts_sql),
        SQLFile("V0050_report_actions", PackageResources.V0050_report_actions_sql),
        SQLFile("V0051_rebuild_in_one_snapshot", PackageResources.V0051_rebuild_in_one_snapshot_sql),
        SQLFile("V0052_faster_medians", PackageResources.V0052_faster_medians_sql),
        SQLFile("V0053_closed_functions", PackageResources.V0053_closed_functions_sql),
        SQLFile("V0054_conversions_by_day", PackageResources.V0054_conversions_by_day_sql),
        SQLFile("V0055_planned_default_partition", PackageResources.V0055_planned_default_partition_sql),
        SQLFile("V0056_locks_of_tables", PackageResources.V0056_locks_of_tables_sql),
        SQLFile("V0057_confined_size", PackageResources.V0057_confined_size_sql),
        SQLFile("V0058_days_that_begin_twice", PackageResources.V0058_days_that_begin_twice_sql),
        SQLFile("V0059_batch_gate_in_statements", PackageResources.V0059_batch_gate_in_statements_sql),
        SQLFile("V0060_confined_reports_again", PackageResources.V0060_confined_reports_again_sql),
        SQLFile("V0061_openings_in_parallel", PackageResources.V0061_openings_in_parallel_sql),
    ]

    /// Built-in reports, in the order in which they are listed.
    package static let reports: [SQLFile] = [
        SQLFile("overview", PackageResources.overview_sql),
        SQLFile("conversion", PackageResources.conversion_sql),
        SQLFile("actions", PackageResources.actions_sql),
        SQLFile("funnel", PackageResources.funnel_sql),
        SQLFile("timeseries", PackageResources.timeseries_sql),
        SQLFile("response-time", PackageResources.response_time_sql),
        SQLFile("replies", PackageResources.replies_sql),
        SQLFile("experiment", PackageResources.experiment_sql),
        SQLFile("failures", PackageResources.failures_sql),
        SQLFile("heatmap", PackageResources.heatmap_sql),
        SQLFile("fatigue", PackageResources.fatigue_sql),
        SQLFile("influence", PackageResources.influence_sql),
        SQLFile("health", PackageResources.health_sql),
        SQLFile("undeclared", PackageResources.undeclared_sql),
        SQLFile("rejected", PackageResources.rejected_sql),
    ]

    package static let storeNewEvents = SQLFile("store_new_events", PackageResources.store_new_events_sql)
    package static let storeGroup = SQLFile("store_group", PackageResources.store_group_sql)
    package static let rollUp = SQLFile("roll_up", PackageResources.roll_up_sql)
    package static let watchDatabase = SQLFile("watch_database", PackageResources.watch_database_sql)
    package static let examineServer = SQLFile("examine_server", PackageResources.examine_server_sql)
    package static let examineRoles = SQLFile("examine_roles", PackageResources.examine_roles_sql)
    package static let examineWorker = SQLFile("examine_worker", PackageResources.examine_worker_sql)
    package static let examineTransactions = SQLFile("examine_transactions", PackageResources.examine_transactions_sql)
    package static let examineDefaultPartition = SQLFile(
        "examine_default_partition", PackageResources.examine_default_partition_sql)
    package static let findKey = SQLFile("find_key", PackageResources.find_key_sql)
    package static let beginSession = SQLFile("begin_session", PackageResources.begin_session_sql)
    package static let findSession = SQLFile("find_session", PackageResources.find_session_sql)
    package static let endSession = SQLFile("end_session", PackageResources.end_session_sql)
    package static let readLive = SQLFile("read_live", PackageResources.read_live_sql)
    package static let newestCategories = SQLFile("newest_categories", PackageResources.newest_categories_sql)
    package static let newestActions = SQLFile("newest_actions", PackageResources.newest_actions_sql)
    package static let putCategory = SQLFile("put_category", PackageResources.put_category_sql)
    package static let putAction = SQLFile("put_action", PackageResources.put_action_sql)
    package static let putCampaign = SQLFile("put_campaign", PackageResources.put_campaign_sql)
    package static let putSends = SQLFile("put_sends", PackageResources.put_sends_sql)
    package static let takeNames = SQLFile("take_names", PackageResources.take_names_sql)
    package static let tellSpool = SQLFile("tell_spool", PackageResources.tell_spool_sql)
    package static let findReceiptSecrets = SQLFile(
        "find_receipt_secrets", PackageResources.find_receipt_secrets_sql)
    package static let readExclusions = SQLFile("read_exclusions", PackageResources.read_exclusions_sql)
    package static let findErasure = SQLFile("find_erasure", PackageResources.find_erasure_sql)
    package static let findDevice = SQLFile("find_device", PackageResources.find_device_sql)
    package static let deviceEvents = SQLFile("device_events", PackageResources.device_events_sql)
    package static let deviceReplies = SQLFile("device_replies", PackageResources.device_replies_sql)
    package static let deviceDeliveries = SQLFile("device_deliveries", PackageResources.device_deliveries_sql)
    package static let deviceRefusals = SQLFile("device_refusals", PackageResources.device_refusals_sql)
    package static let exportEvents = SQLFile("export_events", PackageResources.export_events_sql)
    package static let exportDeliveries = SQLFile("export_deliveries", PackageResources.export_deliveries_sql)
    package static let exportReplies = SQLFile("export_replies", PackageResources.export_replies_sql)

    package static let findDefinitions = SQLFile("find_definitions", PackageResources.find_definitions_sql)

    package static let statements: [SQLFile] = [
        storeNewEvents, storeGroup, rollUp, watchDatabase, examineServer, examineRoles, examineWorker,
        examineTransactions, examineDefaultPartition, findKey, beginSession, findSession, endSession, readLive,
        newestCategories, newestActions, putCategory, putAction, putCampaign, putSends, takeNames, tellSpool,
        findReceiptSecrets, readExclusions, findErasure, findDevice, deviceEvents,
        deviceReplies, deviceDeliveries, deviceRefusals, findDefinitions, exportEvents, exportDeliveries, exportReplies,
    ]
}
