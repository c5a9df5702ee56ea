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
        SQLFile("V0009_device_buckets", PackageResources.V0009_device_buckets_sql),
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
        SQLFile("device_bucket", PackageResources.device_bucket_sql),
        SQLFile("device_identity", PackageResources.device_identity_sql),
        SQLFile("differing_deliveries", PackageResources.differing_deliveries_sql),
        SQLFile("event_code", PackageResources.event_code_sql),
        SQLFile("fallbacks", PackageResources.fallbacks_sql),
        SQLFile("kind_bit", PackageResources.kind_bit_sql),
        SQLFile("kinds", PackageResources.kinds_sql),
        SQLFile("merge_batches", PackageResources.merge_batches_sql),
        SQLFile("merged_actions", PackageResources.merged_actions_sql),
        SQLFile("merged_deliveries", PackageResources.merged_deliveries_sql),
        SQLFile("states", PackageResources.states_sql),
        SQLFile("touched_deliveries", PackageResources.touched_deliveries_sql),
        SQLFile("verified_dimensions", PackageResources.verified_dimensions_sql),
        SQLFile("contains_id", PackageResources.contains_id_sql),
        SQLFile("count_names_with_id", PackageResources.count_names_with_id_sql),
        SQLFile("erase_device_chunk", PackageResources.erase_device_chunk_sql),
        SQLFile("find_erased_devices", PackageResources.find_erased_devices_sql),
        SQLFile("rejected_event_content", PackageResources.rejected_event_content_sql),
        SQLFile("request_erasure", PackageResources.request_erasure_sql),
        SQLFile("restore_suppression", PackageResources.restore_suppression_sql),
        SQLFile("run_erasure_step", PackageResources.run_erasure_step_sql),
        SQLFile("enforce_suppression", PackageResources.enforce_suppression_sql),
        SQLFile("ensure_partitions", PackageResources.ensure_partitions_sql),
        SQLFile("event_content", PackageResources.event_content_sql),
        SQLFile("event_names", PackageResources.event_names_sql),
        SQLFile("has_suppressed_events", PackageResources.has_suppressed_events_sql),
        SQLFile("hold_ingest_barrier", PackageResources.hold_ingest_barrier_sql),
        SQLFile("keep_declared_variant", PackageResources.keep_declared_variant_sql),
        SQLFile("last_batch_before_barrier", PackageResources.last_batch_before_barrier_sql),
        SQLFile("receipt_devices", PackageResources.receipt_devices_sql),
        SQLFile("redact_rejected_event", PackageResources.redact_rejected_event_sql),
        SQLFile("rejected_event_devices", PackageResources.rejected_event_devices_sql),
        SQLFile("rejected_event_texts", PackageResources.rejected_event_texts_sql),
        SQLFile("remove_undeclared_name", PackageResources.remove_undeclared_name_sql),
        SQLFile("reserve_names", PackageResources.reserve_names_sql),
        SQLFile("stored_actions", PackageResources.stored_actions_sql),
        SQLFile("suppressed_events", PackageResources.suppressed_events_sql),
        SQLFile("as_of", PackageResources.as_of_sql),
        SQLFile("end_report_sessions", PackageResources.end_report_sessions_sql),
        SQLFile("first_instant", PackageResources.first_instant_sql),
        SQLFile("normalised_answer", PackageResources.normalised_answer_sql),
        SQLFile("open_report", PackageResources.open_report_sql),
        SQLFile("report_action_hours", PackageResources.report_action_hours_sql),
        SQLFile("report_offering_hours", PackageResources.report_offering_hours_sql),
        SQLFile("report_actions", PackageResources.report_actions_sql),
        SQLFile("report_base", PackageResources.report_base_sql),
        SQLFile("report_bounds", PackageResources.report_bounds_sql),
        SQLFile("report_by", PackageResources.report_by_sql),
        SQLFile("report_claim", PackageResources.report_claim_sql),
        SQLFile("report_closing_times", PackageResources.report_closing_times_sql),
        SQLFile("report_counts", PackageResources.report_counts_sql),
        SQLFile("report_definitions", PackageResources.report_definitions_sql),
        SQLFile("report_deliveries", PackageResources.report_deliveries_sql),
        SQLFile("report_action_effects", PackageResources.report_action_effects_sql),
        SQLFile("report_device_buckets", PackageResources.report_device_buckets_sql),
        SQLFile("report_devices", PackageResources.report_devices_sql),
        SQLFile("report_event_statistics", PackageResources.report_event_statistics_sql),
        SQLFile("report_hour_at_share", PackageResources.report_hour_at_share_sql),
        SQLFile("report_hours", PackageResources.report_hours_sql),
        SQLFile("report_openings", PackageResources.report_openings_sql),
        SQLFile("report_recent_deliveries", PackageResources.report_recent_deliveries_sql),
        SQLFile("report_response_hours", PackageResources.report_response_hours_sql),
        SQLFile("report_selected_deliveries", PackageResources.report_selected_deliveries_sql),
        SQLFile("report_attribution_problems", PackageResources.report_attribution_problems_sql),
        SQLFile("report_span", PackageResources.report_span_sql),
        SQLFile("report_split", PackageResources.report_split_sql),
        SQLFile("report_terms", PackageResources.report_terms_sql),
        SQLFile("report_time", PackageResources.report_time_sql),
        SQLFile("report_times", PackageResources.report_times_sql),
        SQLFile("report_token_events", PackageResources.report_token_events_sql),
        SQLFile("report_version_coverage", PackageResources.report_version_coverage_sql),
        SQLFile("rfc3339", PackageResources.rfc3339_sql),
        SQLFile("report_intake_checks", PackageResources.report_intake_checks_sql),
        SQLFile("run_report", PackageResources.run_report_sql),
        SQLFile("suppressed", PackageResources.suppressed_sql),
        SQLFile("missing_rates", PackageResources.missing_rates_sql),
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
        SQLFile("action_deltas", PackageResources.action_deltas_sql),
        SQLFile("add_actions", PackageResources.add_actions_sql),
        SQLFile("add_deliveries", PackageResources.add_deliveries_sql),
        SQLFile("add_event_counts", PackageResources.add_event_counts_sql),
        SQLFile("add_responses", PackageResources.add_responses_sql),
        SQLFile("add_device_changes", PackageResources.add_device_changes_sql),
        SQLFile("settle_device_changes", PackageResources.settle_device_changes_sql),
        SQLFile("rebuild_device_buckets", PackageResources.rebuild_device_buckets_sql),
        SQLFile("add_to_rollup_action_days", PackageResources.add_to_rollup_action_days_sql),
        SQLFile("add_to_rollup_actions", PackageResources.add_to_rollup_actions_sql),
        SQLFile("add_to_rollup_app_versions", PackageResources.add_to_rollup_app_versions_sql),
        SQLFile("add_to_rollup_deliveries", PackageResources.add_to_rollup_deliveries_sql),
        SQLFile("add_to_rollup_delivery_days", PackageResources.add_to_rollup_delivery_days_sql),
        SQLFile("add_to_rollup_event_hours", PackageResources.add_to_rollup_event_hours_sql),
        SQLFile("add_to_rollup_events", PackageResources.add_to_rollup_events_sql),
        SQLFile("add_to_rollup_goal_days", PackageResources.add_to_rollup_goal_days_sql),
        SQLFile("add_to_rollup_response_days", PackageResources.add_to_rollup_response_days_sql),
        SQLFile("add_to_rollup_responses", PackageResources.add_to_rollup_responses_sql),
        SQLFile("app_version_deltas", PackageResources.app_version_deltas_sql),
        SQLFile("apply_upgrades", PackageResources.apply_upgrades_sql),
        SQLFile("compact_batches", PackageResources.compact_batches_sql),
        SQLFile("event_counts", PackageResources.event_counts_sql),
        SQLFile("event_deltas", PackageResources.event_deltas_sql),
        SQLFile("hour_of", PackageResources.hour_of_sql),
        SQLFile("moved_event_counts", PackageResources.moved_event_counts_sql),
        SQLFile("rebuild_deliveries", PackageResources.rebuild_deliveries_sql),
        SQLFile("rebuild_rollup_actions", PackageResources.rebuild_rollup_actions_sql),
        SQLFile("rebuild_rollup_days", PackageResources.rebuild_rollup_days_sql),
        SQLFile("rebuild_rollup_deliveries", PackageResources.rebuild_rollup_deliveries_sql),
        SQLFile("rebuild_rollup_events", PackageResources.rebuild_rollup_events_sql),
        SQLFile("rebuild_rollup_responses", PackageResources.rebuild_rollup_responses_sql),
        SQLFile("replace_rows", PackageResources.replace_rows_sql),
        SQLFile("response_deltas", PackageResources.response_deltas_sql),
        SQLFile("roll_up", PackageResources.roll_up_sql),
        SQLFile("rollup_rebuild", PackageResources.rollup_rebuild_sql),
        SQLFile("rollup_verify", PackageResources.rollup_verify_sql),
        SQLFile("running_totals", PackageResources.running_totals_sql),
        SQLFile("time_bucket", PackageResources.time_bucket_sql),
        SQLFile("timed_action_list", PackageResources.timed_action_list_sql),
        SQLFile("timed_actions", PackageResources.timed_actions_sql),
        SQLFile("waiting_batches", PackageResources.waiting_batches_sql),
        SQLFile("gamma", PackageResources.gamma_sql),
        SQLFile("holm", PackageResources.holm_sql),
        SQLFile("n_needed", PackageResources.n_needed_sql),
        SQLFile("normal", PackageResources.normal_sql),
        SQLFile("sample_ratio_p", PackageResources.sample_ratio_p_sql),
        SQLFile("student_t", PackageResources.student_t_sql),
        SQLFile("welch", PackageResources.welch_sql),
        SQLFile("wilson", PackageResources.wilson_sql),
        SQLFile("category_versions", PackageResources.category_versions_sql),
        SQLFile("declared_sends", PackageResources.declared_sends_sql),
        SQLFile("delivery_action_days", PackageResources.delivery_action_days_sql),
        SQLFile("delivery_app_versions", PackageResources.delivery_app_versions_sql),
        SQLFile("delivery_days", PackageResources.delivery_days_sql),
        SQLFile("delivery_hours", PackageResources.delivery_hours_sql),
        SQLFile("reply_place", PackageResources.reply_place_sql),
        SQLFile("release_waiting_replies", PackageResources.release_waiting_replies_sql),
        SQLFile("expired_replies", PackageResources.expired_replies_sql),
        SQLFile("keyed_deliveries", PackageResources.keyed_deliveries_sql),
        SQLFile("merged_events", PackageResources.merged_events_sql),
        SQLFile("summed_action_days", PackageResources.summed_action_days_sql),
        SQLFile("summed_delivery_days", PackageResources.summed_delivery_days_sql),
        SQLFile("summed_event_hours", PackageResources.summed_event_hours_sql),
        SQLFile("summed_goal_days", PackageResources.summed_goal_days_sql),
        SQLFile("summed_response_days", PackageResources.summed_response_days_sql),
        SQLFile("compare_duplicates", PackageResources.compare_duplicates_sql),
        SQLFile("report_hour", PackageResources.report_hour_sql),
        SQLFile("preserve_event_counts", PackageResources.preserve_event_counts_sql),
        SQLFile("chi_square", PackageResources.chi_square_sql),
        SQLFile("difference", PackageResources.difference_sql),
        SQLFile("two_proportion_p", PackageResources.two_proportion_p_sql),
        SQLFile("rate", PackageResources.rate_sql),
        SQLFile("anytime", PackageResources.anytime_sql),
        SQLFile("design_effect", PackageResources.design_effect_sql),
        SQLFile("detectable_effect", PackageResources.detectable_effect_sql),
        SQLFile("experiment_verdict", PackageResources.experiment_verdict_sql),
        SQLFile("packed_buckets", PackageResources.packed_buckets_sql),
        SQLFile("sample_ratio_p_anytime", PackageResources.sample_ratio_p_anytime_sql),
        SQLFile("device_bucket_counts", PackageResources.device_bucket_counts_sql),
        SQLFile("device_bucket_totals", PackageResources.device_bucket_totals_sql),
        SQLFile("expected_device_buckets", PackageResources.expected_device_buckets_sql),
        SQLFile("summed_device_buckets", PackageResources.summed_device_buckets_sql),
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

    /// What a superuser takes from PUBLIC, so that reports can't do it.
    package static let restrictPublic = SQLFile("restrict_public", PackageResources.restrict_public_sql)

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

    package static let archiveCampaign = statement("archive_campaign", PackageResources.archive_campaign_sql)
    package static let beginReport = statement("begin_report", PackageResources.begin_report_sql)
    package static let beginSchema = statement("begin_schema", PackageResources.begin_schema_sql)
    package static let beginSession = statement("begin_session", PackageResources.begin_session_sql)
    package static let callAdvanceSeal = statement("call_advance_seal", PackageResources.call_advance_seal_sql)
    package static let callAnnounceSeal = statement("call_announce_seal", PackageResources.call_announce_seal_sql)
    package static let callCompactBatches = statement("call_compact_batches", PackageResources.call_compact_batches_sql)
    package static let callDropExpiredPartition = statement(
        "call_drop_expired_partition", PackageResources.call_drop_expired_partition_sql)
    package static let callEnsurePartitions = statement(
        "call_ensure_partitions", PackageResources.call_ensure_partitions_sql)
    package static let callEndReportSessions = statement(
        "call_end_report_sessions", PackageResources.call_end_report_sessions_sql)
    package static let callFindErasedDevices = statement(
        "call_find_erased_devices", PackageResources.call_find_erased_devices_sql)
    package static let callPurgeDefaultEvents = statement(
        "call_purge_default_events", PackageResources.call_purge_default_events_sql)
    package static let callPurgeDeliveries = statement(
        "call_purge_deliveries", PackageResources.call_purge_deliveries_sql)
    package static let callPurgeRejected = statement("call_purge_rejected", PackageResources.call_purge_rejected_sql)
    package static let callPurgeReplies = statement("call_purge_replies", PackageResources.call_purge_replies_sql)
    package static let callReportDefinitions = statement(
        "call_report_definitions", PackageResources.call_report_definitions_sql)
    package static let callRequestErasure = statement("call_request_erasure", PackageResources.call_request_erasure_sql)
    package static let callReserveNames = statement("call_reserve_names", PackageResources.call_reserve_names_sql)
    package static let callRestoreSuppression = statement(
        "call_restore_suppression", PackageResources.call_restore_suppression_sql)
    package static let callRetentionBlocker = statement(
        "call_retention_blocker", PackageResources.call_retention_blocker_sql)
    package static let callRetentionPlan = statement("call_retention_plan", PackageResources.call_retention_plan_sql)
    package static let callRollUp = statement("call_roll_up", PackageResources.call_roll_up_sql)
    package static let callRollupRebuild = statement("call_rollup_rebuild", PackageResources.call_rollup_rebuild_sql)
    package static let callRollupVerify = statement("call_rollup_verify", PackageResources.call_rollup_verify_sql)
    package static let callRunErasureStep = statement(
        "call_run_erasure_step", PackageResources.call_run_erasure_step_sql)
    package static let callRunReport = statement("call_run_report", PackageResources.call_run_report_sql)
    package static let callStoredActions = statement("call_stored_actions", PackageResources.call_stored_actions_sql)
    package static let callSuppressedEvents = statement(
        "call_suppressed_events", PackageResources.call_suppressed_events_sql)
    package static let checkDefaultPartition = statement(
        "check_default_partition", PackageResources.check_default_partition_sql)
    package static let checkReportLogins = statement("check_report_logins", PackageResources.check_report_logins_sql)
    package static let checkReportLimits = statement("check_report_limits", PackageResources.check_report_limits_sql)
    package static let checkRestrictable = statement("check_restrictable", PackageResources.check_restrictable_sql)
    package static let checkRetentionDue = statement("check_retention_due", PackageResources.check_retention_due_sql)
    package static let checkRoles = statement("check_roles", PackageResources.check_roles_sql)
    package static let checkSchemaExists = statement("check_schema_exists", PackageResources.check_schema_exists_sql)
    package static let checkServer = statement("check_server", PackageResources.check_server_sql)
    package static let checkTransactions = statement("check_transactions", PackageResources.check_transactions_sql)
    package static let checkWorker = statement("check_worker", PackageResources.check_worker_sql)
    package static let checkWritable = statement("check_writable", PackageResources.check_writable_sql)
    package static let clearInstalledDefinitions = statement(
        "clear_installed_definitions", PackageResources.clear_installed_definitions_sql)
    package static let countOtherCampaigns = statement(
        "count_other_campaigns", PackageResources.count_other_campaigns_sql)
    package static let countRetiredReceiptSecrets = statement(
        "count_retired_receipt_secrets", PackageResources.count_retired_receipt_secrets_sql)
    package static let countWaitingBatches = statement(
        "count_waiting_batches", PackageResources.count_waiting_batches_sql)
    package static let createApp = statement("create_app", PackageResources.create_app_sql)
    package static let createKey = statement("create_key", PackageResources.create_key_sql)
    package static let createReceiptSecret = statement(
        "create_receipt_secret", PackageResources.create_receipt_secret_sql)
    package static let deleteCampaignVariants = statement(
        "delete_campaign_variants", PackageResources.delete_campaign_variants_sql)
    package static let deviceDeliveries = statement("device_deliveries", PackageResources.device_deliveries_sql)
    package static let deviceEvents = statement("device_events", PackageResources.device_events_sql)
    package static let deviceRejectedEvents = statement(
        "device_rejected_events", PackageResources.device_rejected_events_sql)
    package static let deviceReplies = statement("device_replies", PackageResources.device_replies_sql)
    package static let endSession = statement("end_session", PackageResources.end_session_sql)
    package static let exportDeliveries = statement("export_deliveries", PackageResources.export_deliveries_sql)
    package static let exportEvents = statement("export_events", PackageResources.export_events_sql)
    package static let exportReplies = statement("export_replies", PackageResources.export_replies_sql)
    package static let findCurrentReceiptSecret = statement(
        "find_current_receipt_secret", PackageResources.find_current_receipt_secret_sql)
    package static let findDefinitions = statement("find_definitions", PackageResources.find_definitions_sql)
    package static let findDevice = statement("find_device", PackageResources.find_device_sql)
    package static let findErasure = statement("find_erasure", PackageResources.find_erasure_sql)
    package static let findKeys = statement("find_keys", PackageResources.find_keys_sql)
    package static let findLastBatch = statement("find_last_batch", PackageResources.find_last_batch_sql)
    package static let findReceiptSecrets = statement("find_receipt_secrets", PackageResources.find_receipt_secrets_sql)
    package static let findSchemaTime = statement("find_schema_time", PackageResources.find_schema_time_sql)
    package static let findSessions = statement("find_sessions", PackageResources.find_sessions_sql)
    package static let listApps = statement("list_apps", PackageResources.list_apps_sql)
    package static let listCampaignVariants = statement(
        "list_campaign_variants", PackageResources.list_campaign_variants_sql)
    package static let listCampaigns = statement("list_campaigns", PackageResources.list_campaigns_sql)
    package static let listDefinitions = statement("list_definitions", PackageResources.list_definitions_sql)
    package static let listInstalledDefinitions = statement(
        "list_installed_definitions", PackageResources.list_installed_definitions_sql)
    package static let listKeys = statement("list_keys", PackageResources.list_keys_sql)
    package static let listSchemaFiles = statement("list_schema_files", PackageResources.list_schema_files_sql)
    package static let lockApp = statement("lock_app", PackageResources.lock_app_sql)
    package static let newestActions = statement("newest_actions", PackageResources.newest_actions_sql)
    package static let newestCategories = statement("newest_categories", PackageResources.newest_categories_sql)
    package static let putAction = statement("put_action", PackageResources.put_action_sql)
    package static let putCampaign = statement("put_campaign", PackageResources.put_campaign_sql)
    package static let putCampaignVariant = statement("put_campaign_variant", PackageResources.put_campaign_variant_sql)
    package static let putCategory = statement("put_category", PackageResources.put_category_sql)
    package static let putSends = statement("put_sends", PackageResources.put_sends_sql)
    package static let readDatabaseHealth = statement("read_database_health", PackageResources.read_database_health_sql)
    package static let readLive = statement("read_live", PackageResources.read_live_sql)
    package static let readSuppressionList = statement(
        "read_suppression_list", PackageResources.read_suppression_list_sql)
    package static let recordInstalledDefinitions = statement(
        "record_installed_definitions", PackageResources.record_installed_definitions_sql)
    package static let recordRetentionRun = statement("record_retention_run", PackageResources.record_retention_run_sql)
    package static let recordSchemaFile = statement("record_schema_file", PackageResources.record_schema_file_sql)
    package static let retireReceiptSecrets = statement(
        "retire_receipt_secrets", PackageResources.retire_receipt_secrets_sql)
    package static let revokeKey = statement("revoke_key", PackageResources.revoke_key_sql)
    package static let setCategoryRetired = statement("set_category_retired", PackageResources.set_category_retired_sql)
    package static let setReceiptPolicy = statement("set_receipt_policy", PackageResources.set_receipt_policy_sql)
    package static let storeGroup = statement("store_group", PackageResources.store_group_sql)
    package static let storeNewEvents = statement("store_new_events", PackageResources.store_new_events_sql)
    package static let updateCategory = statement("update_category", PackageResources.update_category_sql)
    package static let upsertSpoolStatus = statement("upsert_spool_status", PackageResources.upsert_spool_status_sql)

    /// What the program sends, one statement a file.
    package static let statements: [SQLFile] = [
        archiveCampaign, beginReport, beginSchema, beginSession, callAdvanceSeal, callAnnounceSeal,
        callCompactBatches, callDropExpiredPartition, callEndReportSessions, callEnsurePartitions,
        callFindErasedDevices, callPurgeDefaultEvents, callPurgeDeliveries, callPurgeRejected,
        callPurgeReplies, callReportDefinitions, callRequestErasure, callReserveNames, callRestoreSuppression,
        callRetentionBlocker, callRetentionPlan, callRollUp, callRollupRebuild, callRollupVerify,
        callRunErasureStep, callRunReport, callStoredActions, callSuppressedEvents, checkDefaultPartition,
        checkReportLimits, checkReportLogins, checkRestrictable, checkRetentionDue, checkRoles,
        checkSchemaExists, checkServer, checkTransactions, checkWorker, checkWritable,
        clearInstalledDefinitions, countOtherCampaigns, countRetiredReceiptSecrets, countWaitingBatches,
        createApp, createKey, createReceiptSecret, deleteCampaignVariants, deviceDeliveries, deviceEvents,
        deviceRejectedEvents, deviceReplies, endSession, exportDeliveries, exportEvents, exportReplies,
        findCurrentReceiptSecret, findDefinitions, findDevice, findErasure, findKeys, findLastBatch,
        findReceiptSecrets, findSchemaTime, findSessions, listApps, listCampaignVariants, listCampaigns,
        listDefinitions, listInstalledDefinitions, listKeys, listSchemaFiles, lockApp, newestActions,
        newestCategories, putAction, putCampaign, putCampaignVariant, putCategory, putSends,
        readDatabaseHealth, readLive, readSuppressionList, recordInstalledDefinitions, recordRetentionRun,
        recordSchemaFile, retireReceiptSecrets, revokeKey, setCategoryRetired, setReceiptPolicy, storeGroup,
        storeNewEvents, updateCategory, upsertSpoolStatus,
    ]

    /// A statement begins with its name, as a comment: error messages and `pg_stat_activity` show that.
    private static func statement(_ name: String, _ bytes: [UInt8]) -> SQLFile {
        SQLFile(name, Array("-- \(name)\n".utf8) + bytes)
    }
}
