/// The files of this folder, as they are in the program.
///
/// A file that is missing here is not in the program; a test compares these lists with the folders.
package enum SQLFiles {
    /// Tables, types, indexes and policies, oldest file first. Each runs once per database.
    ///
    /// Until the first release these files may be edited; a file that was released never changes again.
    package static let schema: [SQLFile] = [
        SQLFile("V0001_roles", PackageResources.V0001_roles_sql),
        SQLFile("V0002_types", PackageResources.V0002_types_sql),
        SQLFile("V0003_apps", PackageResources.V0003_apps_sql),
        SQLFile("V0004_declarations", PackageResources.V0004_declarations_sql),
        SQLFile("V0005_events", PackageResources.V0005_events_sql),
        SQLFile("V0006_deliveries", PackageResources.V0006_deliveries_sql),
        SQLFile("V0007_rollups", PackageResources.V0007_rollups_sql),
        SQLFile("V0008_retention_and_erasure", PackageResources.V0008_retention_and_erasure_sql),
    ]

    /// Functions that indexes, generated columns or policies call, so they exist before the tables do.
    ///
    /// They are frozen: rows and indexes hold their results, so a file may change in form but not in what it returns.
    package static let frozenFunctions: [SQLFile] = [
        SQLFile("actions_key", PackageResources.actions_key_sql),
        SQLFile("anchor", PackageResources.anchor_sql),
        SQLFile("device_hash", PackageResources.device_hash_sql),
        SQLFile("report_app", PackageResources.report_app_sql),
    ]

    /// All other functions and the views, in an order in which each file finds what it uses.
    package static let functionsAndViews: [SQLFile] = [
        SQLFile("attribution", PackageResources.attribution_sql),
        SQLFile("delivery_deltas", PackageResources.delivery_deltas_sql),
        SQLFile("device_identity", PackageResources.device_identity_sql),
        SQLFile("differing_deliveries", PackageResources.differing_deliveries_sql),
        SQLFile("kind_bit", PackageResources.kind_bit_sql),
        SQLFile("merged_actions", PackageResources.merged_actions_sql),
        SQLFile("merged_deliveries", PackageResources.merged_deliveries_sql),
        SQLFile("states", PackageResources.states_sql),
        SQLFile("erase_device_chunk", PackageResources.erase_device_chunk_sql),
        SQLFile("find_erased_devices", PackageResources.find_erased_devices_sql),
        SQLFile("request_erasure", PackageResources.request_erasure_sql),
        SQLFile("restore_suppression", PackageResources.restore_suppression_sql),
        SQLFile("run_erasure_step", PackageResources.run_erasure_step_sql),
        SQLFile("enforce_suppression", PackageResources.enforce_suppression_sql),
        SQLFile("ensure_partitions", PackageResources.ensure_partitions_sql),
        SQLFile("event_content", PackageResources.event_content_sql),
        SQLFile("has_suppressed_events", PackageResources.has_suppressed_events_sql),
        SQLFile("hold_ingest_barrier", PackageResources.hold_ingest_barrier_sql),
        SQLFile("last_batch_before_barrier", PackageResources.last_batch_before_barrier_sql),
        SQLFile("redact_rejected_event", PackageResources.redact_rejected_event_sql),
        SQLFile("rejected_event_devices", PackageResources.rejected_event_devices_sql),
        SQLFile("remove_undeclared_name", PackageResources.remove_undeclared_name_sql),
        SQLFile("reserve_names", PackageResources.reserve_names_sql),
        SQLFile("stored_actions", PackageResources.stored_actions_sql),
        SQLFile("suppressed_events", PackageResources.suppressed_events_sql),
        SQLFile("as_of", PackageResources.as_of_sql),
        SQLFile("first_instant", PackageResources.first_instant_sql),
        SQLFile("normalised_answer", PackageResources.normalised_answer_sql),
        SQLFile("report_actions", PackageResources.report_actions_sql),
        SQLFile("report_base", PackageResources.report_base_sql),
        SQLFile("report_bounds", PackageResources.report_bounds_sql),
        SQLFile("report_by", PackageResources.report_by_sql),
        SQLFile("report_conditions", PackageResources.report_conditions_sql),
        SQLFile("report_counts", PackageResources.report_counts_sql),
        SQLFile("report_definitions", PackageResources.report_definitions_sql),
        SQLFile("report_deliveries", PackageResources.report_deliveries_sql),
        SQLFile("report_goal_source", PackageResources.report_goal_source_sql),
        SQLFile("report_hour_at_share", PackageResources.report_hour_at_share_sql),
        SQLFile("report_hours", PackageResources.report_hours_sql),
        SQLFile("report_openings", PackageResources.report_openings_sql),
        SQLFile("report_recent_deliveries", PackageResources.report_recent_deliveries_sql),
        SQLFile("report_source", PackageResources.report_source_sql),
        SQLFile("report_span", PackageResources.report_span_sql),
        SQLFile("report_split", PackageResources.report_split_sql),
        SQLFile("report_time", PackageResources.report_time_sql),
        SQLFile("report_times", PackageResources.report_times_sql),
        SQLFile("rfc3339", PackageResources.rfc3339_sql),
        SQLFile("run_report", PackageResources.run_report_sql),
        SQLFile("suppressed", PackageResources.suppressed_sql),
        SQLFile("advance_seal", PackageResources.advance_seal_sql),
        SQLFile("announce_seal", PackageResources.announce_seal_sql),
        SQLFile("drop_expired_partition", PackageResources.drop_expired_partition_sql),
        SQLFile("expired_partitions", PackageResources.expired_partitions_sql),
        SQLFile("protect_sealed_hours", PackageResources.protect_sealed_hours_sql),
        SQLFile("purge_default_events", PackageResources.purge_default_events_sql),
        SQLFile("purge_deliveries", PackageResources.purge_deliveries_sql),
        SQLFile("purge_rejected", PackageResources.purge_rejected_sql),
        SQLFile("purge_replies", PackageResources.purge_replies_sql),
        SQLFile("retention_blocker", PackageResources.retention_blocker_sql),
        SQLFile("retention_cutoff", PackageResources.retention_cutoff_sql),
        SQLFile("retention_plan", PackageResources.retention_plan_sql),
        SQLFile("snapshot_sealed_goals", PackageResources.snapshot_sealed_goals_sql),
        SQLFile("add_event_counts", PackageResources.add_event_counts_sql),
        SQLFile("compact_batches", PackageResources.compact_batches_sql),
        SQLFile("hour_of", PackageResources.hour_of_sql),
        SQLFile("moved_event_counts", PackageResources.moved_event_counts_sql),
        SQLFile("rebuild_deliveries", PackageResources.rebuild_deliveries_sql),
        SQLFile("replace_rows", PackageResources.replace_rows_sql),
        SQLFile("roll_up", PackageResources.roll_up_sql),
        SQLFile("rollup_rebuild", PackageResources.rollup_rebuild_sql),
        SQLFile("rollup_verify", PackageResources.rollup_verify_sql),
        SQLFile("running_totals", PackageResources.running_totals_sql),
        SQLFile("time_bucket", PackageResources.time_bucket_sql),
        SQLFile("gamma", PackageResources.gamma_sql),
        SQLFile("holm", PackageResources.holm_sql),
        SQLFile("n_needed", PackageResources.n_needed_sql),
        SQLFile("normal", PackageResources.normal_sql),
        SQLFile("sample_ratio_p", PackageResources.sample_ratio_p_sql),
        SQLFile("two_proportion_p", PackageResources.two_proportion_p_sql),
        SQLFile("wilson", PackageResources.wilson_sql),
        SQLFile("category_versions", PackageResources.category_versions_sql),
        SQLFile("expired_replies", PackageResources.expired_replies_sql),
        SQLFile("keyed_deliveries", PackageResources.keyed_deliveries_sql),
        SQLFile("merged_events", PackageResources.merged_events_sql),
        SQLFile("summed_action_days", PackageResources.summed_action_days_sql),
        SQLFile("summed_delivery_days", PackageResources.summed_delivery_days_sql),
        SQLFile("summed_event_hours", PackageResources.summed_event_hours_sql),
        SQLFile("summed_goal_days", PackageResources.summed_goal_days_sql),
        SQLFile("summed_response_days", PackageResources.summed_response_days_sql),
        SQLFile("count_conflicting_events", PackageResources.count_conflicting_events_sql),
        SQLFile("rate", PackageResources.rate_sql),
        SQLFile("report_hour", PackageResources.report_hour_sql),
        SQLFile("report_observable", PackageResources.report_observable_sql),
        SQLFile("preserve_event_counts", PackageResources.preserve_event_counts_sql),
        SQLFile("chi_square", PackageResources.chi_square_sql),
        SQLFile("difference", PackageResources.difference_sql),
        SQLFile("delivery_modes", PackageResources.delivery_modes_sql),
        SQLFile("expected_actions", PackageResources.expected_actions_sql),
        SQLFile("expected_app_versions", PackageResources.expected_app_versions_sql),
        SQLFile("expected_deliveries", PackageResources.expected_deliveries_sql),
        SQLFile("expected_events", PackageResources.expected_events_sql),
        SQLFile("expected_responses", PackageResources.expected_responses_sql),
    ]

    /// Rows that are part of the program, upserted.
    package static let data: [SQLFile] = [
        SQLFile("metric_definitions", PackageResources.metric_definitions_sql)
    ]

    /// Who may do what.
    package static let grants = SQLFile("grants", PackageResources.grants_sql)

    /// Everything that can be created again, in the order in which it is installed.
    package static let definitions = frozenFunctions + functionsAndViews + data + [grants]

    /// The built-in reports, in the order in which they are listed.
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

    package static let beginSchema = SQLFile("begin_schema", PackageResources.begin_schema_sql)
    package static let beginSession = SQLFile("begin_session", PackageResources.begin_session_sql)
    package static let callReserveNames = SQLFile("call_reserve_names", PackageResources.call_reserve_names_sql)
    package static let callRollUp = SQLFile("call_roll_up", PackageResources.call_roll_up_sql)
    package static let checkDefaultPartition = SQLFile(
        "check_default_partition", PackageResources.check_default_partition_sql)
    package static let checkRoles = SQLFile("check_roles", PackageResources.check_roles_sql)
    package static let checkServer = SQLFile("check_server", PackageResources.check_server_sql)
    package static let checkTransactions = SQLFile("check_transactions", PackageResources.check_transactions_sql)
    package static let checkWorker = SQLFile("check_worker", PackageResources.check_worker_sql)
    package static let deviceDeliveries = SQLFile("device_deliveries", PackageResources.device_deliveries_sql)
    package static let deviceEvents = SQLFile("device_events", PackageResources.device_events_sql)
    package static let deviceRejectedEvents = SQLFile(
        "device_rejected_events", PackageResources.device_rejected_events_sql)
    package static let deviceReplies = SQLFile("device_replies", PackageResources.device_replies_sql)
    package static let endSession = SQLFile("end_session", PackageResources.end_session_sql)
    package static let exportDeliveries = SQLFile("export_deliveries", PackageResources.export_deliveries_sql)
    package static let exportEvents = SQLFile("export_events", PackageResources.export_events_sql)
    package static let exportReplies = SQLFile("export_replies", PackageResources.export_replies_sql)
    package static let findDefinitions = SQLFile("find_definitions", PackageResources.find_definitions_sql)
    package static let findDevice = SQLFile("find_device", PackageResources.find_device_sql)
    package static let findErasure = SQLFile("find_erasure", PackageResources.find_erasure_sql)
    package static let findKey = SQLFile("find_key", PackageResources.find_key_sql)
    package static let findReceiptSecrets = SQLFile("find_receipt_secrets", PackageResources.find_receipt_secrets_sql)
    package static let findSession = SQLFile("find_session", PackageResources.find_session_sql)
    package static let newestActions = SQLFile("newest_actions", PackageResources.newest_actions_sql)
    package static let newestCategories = SQLFile("newest_categories", PackageResources.newest_categories_sql)
    package static let putAction = SQLFile("put_action", PackageResources.put_action_sql)
    package static let putCampaign = SQLFile("put_campaign", PackageResources.put_campaign_sql)
    package static let putCategory = SQLFile("put_category", PackageResources.put_category_sql)
    package static let putSends = SQLFile("put_sends", PackageResources.put_sends_sql)
    package static let readDatabaseHealth = SQLFile("read_database_health", PackageResources.read_database_health_sql)
    package static let readLive = SQLFile("read_live", PackageResources.read_live_sql)
    package static let readSuppressionList = SQLFile(
        "read_suppression_list", PackageResources.read_suppression_list_sql)
    package static let storeGroup = SQLFile("store_group", PackageResources.store_group_sql)
    package static let storeNewEvents = SQLFile("store_new_events", PackageResources.store_new_events_sql)
    package static let upsertSpoolStatus = SQLFile("upsert_spool_status", PackageResources.upsert_spool_status_sql)

    /// What the program sends, one statement a file.
    package static let statements: [SQLFile] = [
        beginSchema, beginSession, callReserveNames, callRollUp, checkDefaultPartition, checkRoles,
        checkServer, checkTransactions, checkWorker, deviceDeliveries, deviceEvents, deviceRejectedEvents,
        deviceReplies, endSession, exportDeliveries, exportEvents, exportReplies, findDefinitions, findDevice,
        findErasure, findKey, findReceiptSecrets, findSession, newestActions, newestCategories, putAction,
        putCampaign, putCategory, putSends, readDatabaseHealth, readLive, readSuppressionList, storeGroup,
        storeNewEvents, upsertSpoolStatus,
    ]
}
