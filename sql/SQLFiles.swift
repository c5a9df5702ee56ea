/// The files of this folder, as they are in the program.
///
/// A file that is missing here is not in the program; a test compares these lists with the folders.
package enum SQLFiles {
    /// Tables, types, indexes and policies, oldest file first. Each runs once per database.
    ///
    /// Until the first release these files may be edited; a file that was released never changes again.
    package static let schema: [SQLFile] = [
        SQLFile("V0001_roles", PackageText.V0001_roles_sql),
        SQLFile("V0002_types", PackageText.V0002_types_sql),
        SQLFile("V0003_apps", PackageText.V0003_apps_sql),
        SQLFile("V0004_declarations", PackageText.V0004_declarations_sql),
        SQLFile("V0005_events", PackageText.V0005_events_sql),
        SQLFile("V0006_deliveries", PackageText.V0006_deliveries_sql),
        SQLFile("V0007_rollups", PackageText.V0007_rollups_sql),
        SQLFile("V0008_retention_and_erasure", PackageText.V0008_retention_and_erasure_sql),
        SQLFile("V0009_device_buckets", PackageText.V0009_device_buckets_sql),
        SQLFile("V0010_values", PackageText.V0010_values_sql),
        SQLFile("V0011_alerts", PackageText.V0011_alerts_sql),
        SQLFile("V0012_dialects", PackageText.V0012_dialects_sql),
        SQLFile("V0013_shares", PackageText.V0013_shares_sql),
        SQLFile("V0014_event_arrivals", PackageText.V0014_event_arrivals_sql),
        SQLFile("V0015_sampled_devices", PackageText.V0015_sampled_devices_sql),
        SQLFile("V0016_rejected_of_app", PackageText.V0016_rejected_of_app_sql),
        SQLFile("V0017_checked_rejections", PackageText.V0017_checked_rejections_sql),
        SQLFile("V0018_events_of_sampled_devices", PackageText.V0018_events_of_sampled_devices_sql),
        SQLFile("V0019_erasure_claims", PackageText.V0019_erasure_claims_sql),
        SQLFile("V0020_unsampled_texts", PackageText.V0020_unsampled_texts_sql),
        SQLFile("V0021_replica_marks", PackageText.V0021_replica_marks_sql),
        SQLFile("V0022_reply_places", PackageText.V0022_reply_places_sql),
        SQLFile("V0023_merges_of_apps", PackageText.V0023_merges_of_apps_sql),
        SQLFile("V0024_device_numbers", PackageText.V0024_device_numbers_sql),
        SQLFile("V0025_proven_arrivals", PackageText.V0025_proven_arrivals_sql),
        SQLFile("V0026_report_sums", PackageText.V0026_report_sums_sql),
        SQLFile("V0027_recounts", PackageText.V0027_recounts_sql),
        SQLFile("V0028_app_numbers", PackageText.V0028_app_numbers_sql),
        SQLFile("V0029_device_slices", PackageText.V0029_device_slices_sql),
        SQLFile("V0030_merges_apart", PackageText.V0030_merges_apart_sql),
        SQLFile("V0031_partitions", PackageText.V0031_partitions_sql),
        SQLFile("V0032_erasure_steps", PackageText.V0032_erasure_steps_sql),
        SQLFile("V0033_seals", PackageText.V0033_seals_sql),
        SQLFile("V0034_report_bounds", PackageText.V0034_report_bounds_sql),
        SQLFile("V0035_declarations", PackageText.V0035_declarations_sql),
        SQLFile("V0036_alert_bounds", PackageText.V0036_alert_bounds_sql),
        SQLFile("V0037_text_places", PackageText.V0037_text_places_sql),
        SQLFile("V0038_unused_names", PackageText.V0038_unused_names_sql),
        SQLFile("V0039_rejection_search", PackageText.V0039_rejection_search_sql),
        SQLFile("V0040_bounded_steps", PackageText.V0040_bounded_steps_sql),
        SQLFile("V0041_unsampled_columns", PackageText.V0041_unsampled_columns_sql),
        SQLFile("V0042_sampled_devices", PackageText.V0042_sampled_devices_sql),
        SQLFile("V0043_last_rejections", PackageText.V0043_last_rejections_sql),
        SQLFile("V0044_sample_renewals", PackageText.V0044_sample_renewals_sql),
        SQLFile("V0045_rejected_events_key", PackageText.V0045_rejected_events_key_sql),
        SQLFile("V0046_indexes_of_apps", PackageText.V0046_indexes_of_apps_sql),
        SQLFile("V0047_overlapping_erasures", PackageText.V0047_overlapping_erasures_sql),
    ]

    /// Functions that indexes, generated columns or policies call, so they exist before the tables do.
    ///
    /// They are frozen: rows and indexes hold their results, so a file may change in form but not in what it returns.
    package static let frozenFunctions: [SQLFile] = [
        SQLFile("actions_key", PackageText.actions_key_sql),
        SQLFile("anchor", PackageText.anchor_sql),
        SQLFile("device_hash", PackageText.device_hash_sql),
        SQLFile("report_app", PackageText.report_app_sql),
    ]

    /// All other functions and the views, in an order in which each file finds what it uses.
    package static let functionsAndViews: [SQLFile] = [
        SQLFile("attribution", PackageText.attribution_sql),
        SQLFile("conversion_window", PackageText.conversion_window_sql),
        SQLFile("converted_states", PackageText.converted_states_sql),
        SQLFile("delivery_deltas", PackageText.delivery_deltas_sql),
        SQLFile("device_bucket", PackageText.device_bucket_sql),
        SQLFile("device_number", PackageText.device_number_sql),
        SQLFile("device_identity", PackageText.device_identity_sql),
        SQLFile("differing_deliveries", PackageText.differing_deliveries_sql),
        SQLFile("event_code", PackageText.event_code_sql),
        SQLFile("fallbacks", PackageText.fallbacks_sql),
        SQLFile("kind_bit", PackageText.kind_bit_sql),
        SQLFile("kinds", PackageText.kinds_sql),
        SQLFile("inspected_states", PackageText.inspected_states_sql),
        SQLFile("merge_batches", PackageText.merge_batches_sql),
        SQLFile("merged_actions", PackageText.merged_actions_sql),
        SQLFile("merged_deliveries", PackageText.merged_deliveries_sql),
        SQLFile("merged_values", PackageText.merged_values_sql),
        SQLFile("sample", PackageText.sample_sql),
        SQLFile("states", PackageText.states_sql),
        SQLFile("count_modes", PackageText.count_modes_sql),
        SQLFile("rollup_deliveries", PackageText.rollup_deliveries_sql),
        SQLFile("rollup_app_versions", PackageText.rollup_app_versions_sql),
        SQLFile("rollup_actions", PackageText.rollup_actions_sql),
        SQLFile("rollup_responses", PackageText.rollup_responses_sql),
        SQLFile("verified_dimensions", PackageText.verified_dimensions_sql),
        SQLFile("time_bucket", PackageText.time_bucket_sql),
        SQLFile("observed_time", PackageText.observed_time_sql),
        SQLFile("counted_deliveries", PackageText.counted_deliveries_sql),
        SQLFile("touched_deliveries", PackageText.touched_deliveries_sql),
        SQLFile("contains_id", PackageText.contains_id_sql),
        SQLFile("count_names_with_id", PackageText.count_names_with_id_sql),
        SQLFile("erase_device_chunk", PackageText.erase_device_chunk_sql),
        SQLFile("erase_alerts", PackageText.erase_alerts_sql),
        SQLFile("erase_texts", PackageText.erase_texts_sql),
        SQLFile("end_rejected_checks", PackageText.end_rejected_checks_sql),
        SQLFile("forget_sampled_devices", PackageText.forget_sampled_devices_sql),
        SQLFile("find_erased_devices", PackageText.find_erased_devices_sql),
        SQLFile("rejected_event_content", PackageText.rejected_event_content_sql),
        SQLFile("request_erasure", PackageText.request_erasure_sql),
        SQLFile("restore_suppression", PackageText.restore_suppression_sql),
        SQLFile("run_erasure_step", PackageText.run_erasure_step_sql),
        SQLFile("enforce_suppression", PackageText.enforce_suppression_sql),
        SQLFile("missing_partitions", PackageText.missing_partitions_sql),
        SQLFile("ensure_partitions", PackageText.ensure_partitions_sql),
        SQLFile("copy_event", PackageText.copy_event_sql),
        SQLFile("split_default_partition", PackageText.split_default_partition_sql),
        SQLFile("count_dialect_events", PackageText.count_dialect_events_sql),
        SQLFile("event_content", PackageText.event_content_sql),
        SQLFile("event_names", PackageText.event_names_sql),
        SQLFile("has_suppressed_events", PackageText.has_suppressed_events_sql),
        SQLFile("hold_ingest_barrier", PackageText.hold_ingest_barrier_sql),
        SQLFile("keep_declared_variant", PackageText.keep_declared_variant_sql),
        SQLFile("last_batch_before_barrier", PackageText.last_batch_before_barrier_sql),
        SQLFile("lock_names", PackageText.lock_names_sql),
        SQLFile("new_names", PackageText.new_names_sql),
        SQLFile("base64_texts", PackageText.base64_texts_sql),
        SQLFile("redact_rejected_event", PackageText.redact_rejected_event_sql),
        SQLFile("remove_undeclared_name", PackageText.remove_undeclared_name_sql),
        SQLFile("reserve_names", PackageText.reserve_names_sql),
        SQLFile("stored_actions", PackageText.stored_actions_sql),
        SQLFile("suppressed_events", PackageText.suppressed_events_sql),
        SQLFile("replayed_until", PackageText.replayed_until_sql),
        SQLFile("report_waiting_batches", PackageText.report_waiting_batches_sql),
        SQLFile("as_of", PackageText.as_of_sql),
        SQLFile("end_report_sessions", PackageText.end_report_sessions_sql),
        SQLFile("declared_late", PackageText.declared_late_sql),
        SQLFile("first_instant", PackageText.first_instant_sql),
        SQLFile("normalised_answer", PackageText.normalised_answer_sql),
        SQLFile("open_report", PackageText.open_report_sql),
        SQLFile("report_action_hours", PackageText.report_action_hours_sql),
        SQLFile("report_keeps_deliveries", PackageText.report_keeps_deliveries_sql),
        SQLFile("report_observed_times", PackageText.report_observed_times_sql),
        SQLFile("report_offering_hours", PackageText.report_offering_hours_sql),
        SQLFile("report_actions", PackageText.report_actions_sql),
        SQLFile("report_base_details", PackageText.report_base_details_sql),
        SQLFile("report_bases", PackageText.report_bases_sql),
        SQLFile("report_bounds", PackageText.report_bounds_sql),
        SQLFile("report_by", PackageText.report_by_sql),
        SQLFile("report_claim", PackageText.report_claim_sql),
        SQLFile("report_closing_times", PackageText.report_closing_times_sql),
        SQLFile("report_counts", PackageText.report_counts_sql),
        SQLFile("report_values", PackageText.report_values_sql),
        SQLFile("report_definitions", PackageText.report_definitions_sql),
        SQLFile("report_deliveries", PackageText.report_deliveries_sql),
        SQLFile("report_states_within", PackageText.report_states_within_sql),
        SQLFile("report_deliveries_within", PackageText.report_deliveries_within_sql),
        SQLFile("report_values_within", PackageText.report_values_within_sql),
        SQLFile("report_action_effects", PackageText.report_action_effects_sql),
        SQLFile("report_device_buckets", PackageText.report_device_buckets_sql),
        SQLFile("report_device_hours", PackageText.report_device_hours_sql),
        SQLFile("report_devices", PackageText.report_devices_sql),
        SQLFile("report_event_statistics", PackageText.report_event_statistics_sql),
        SQLFile("report_hour_at_share", PackageText.report_hour_at_share_sql),
        SQLFile("report_hours", PackageText.report_hours_sql),
        SQLFile("report_one_in", PackageText.report_one_in_sql),
        SQLFile("report_openings", PackageText.report_openings_sql),
        SQLFile("holdout_deliveries", PackageText.holdout_deliveries_sql),
        SQLFile("outcome_events", PackageText.outcome_events_sql),
        SQLFile("report_outcomes", PackageText.report_outcomes_sql),
        SQLFile("report_fatigue", PackageText.report_fatigue_sql),
        SQLFile("report_observed_hours", PackageText.report_observed_hours_sql),
        SQLFile("report_observed_totals", PackageText.report_observed_totals_sql),
        SQLFile("observed_survival", PackageText.observed_survival_sql),
        SQLFile("report_response_clock", PackageText.report_response_clock_sql),
        SQLFile("report_response_curve", PackageText.report_response_curve_sql),
        SQLFile("report_ripe_until", PackageText.report_ripe_until_sql),
        SQLFile("report_within", PackageText.report_within_sql),
        SQLFile("report_selected_deliveries", PackageText.report_selected_deliveries_sql),
        SQLFile("report_attribution_problems", PackageText.report_attribution_problems_sql),
        SQLFile("report_span", PackageText.report_span_sql),
        SQLFile("report_split", PackageText.report_split_sql),
        SQLFile("report_terms", PackageText.report_terms_sql),
        SQLFile("report_time", PackageText.report_time_sql),
        SQLFile("report_times", PackageText.report_times_sql),
        SQLFile("report_token_events", PackageText.report_token_events_sql),
        SQLFile("report_version_coverage", PackageText.report_version_coverage_sql),
        SQLFile("rfc3339", PackageText.rfc3339_sql),
        SQLFile("report_intake_checks", PackageText.report_intake_checks_sql),
        SQLFile("run_report", PackageText.run_report_sql),
        SQLFile("suppressed", PackageText.suppressed_sql),
        SQLFile("missing_rates", PackageText.missing_rates_sql),
        SQLFile("retention_time", PackageText.retention_time_sql),
        SQLFile("oldest_waiting_batch", PackageText.oldest_waiting_batch_sql),
        SQLFile("advance_seal", PackageText.advance_seal_sql),
        SQLFile("announce_seal", PackageText.announce_seal_sql),
        SQLFile("drop_expired_partition", PackageText.drop_expired_partition_sql),
        SQLFile("expired_partitions", PackageText.expired_partitions_sql),
        SQLFile("protect_sealed_hours", PackageText.protect_sealed_hours_sql),
        SQLFile("purge_default_events", PackageText.purge_default_events_sql),
        SQLFile("purge_deliveries", PackageText.purge_deliveries_sql),
        SQLFile("purge_rejected", PackageText.purge_rejected_sql),
        SQLFile("purge_replies", PackageText.purge_replies_sql),
        SQLFile("trim_kept_partition", PackageText.trim_kept_partition_sql),
        SQLFile("retention_blocker", PackageText.retention_blocker_sql),
        SQLFile("retention_cutoff", PackageText.retention_cutoff_sql),
        SQLFile("retention_plan", PackageText.retention_plan_sql),
        SQLFile("waiting_batches", PackageText.waiting_batches_sql),
        SQLFile("seal_obstacle", PackageText.seal_obstacle_sql),
        SQLFile("snapshot_sealed_goals", PackageText.snapshot_sealed_goals_sql),
        SQLFile("action_deltas", PackageText.action_deltas_sql),
        SQLFile("add_actions", PackageText.add_actions_sql),
        SQLFile("add_deliveries", PackageText.add_deliveries_sql),
        SQLFile("add_event_counts", PackageText.add_event_counts_sql),
        SQLFile("add_responses", PackageText.add_responses_sql),
        SQLFile("add_device_changes", PackageText.add_device_changes_sql),
        SQLFile("settle_device_changes", PackageText.settle_device_changes_sql),
        SQLFile("stored_hours_of", PackageText.stored_hours_of_sql),
        SQLFile("rebuild_device_buckets", PackageText.rebuild_device_buckets_sql),
        SQLFile("add_to_rollup_action_days", PackageText.add_to_rollup_action_days_sql),
        SQLFile("add_to_rollup_actions", PackageText.add_to_rollup_actions_sql),
        SQLFile("add_to_rollup_app_versions", PackageText.add_to_rollup_app_versions_sql),
        SQLFile("add_to_rollup_deliveries", PackageText.add_to_rollup_deliveries_sql),
        SQLFile("add_to_rollup_campaign_days", PackageText.add_to_rollup_campaign_days_sql),
        SQLFile("add_to_rollup_delivery_days", PackageText.add_to_rollup_delivery_days_sql),
        SQLFile("add_to_rollup_event_checks", PackageText.add_to_rollup_event_checks_sql),
        SQLFile("add_to_rollup_event_hours", PackageText.add_to_rollup_event_hours_sql),
        SQLFile("add_to_rollup_events", PackageText.add_to_rollup_events_sql),
        SQLFile("add_to_rollup_goal_days", PackageText.add_to_rollup_goal_days_sql),
        SQLFile("add_to_rollup_response_days", PackageText.add_to_rollup_response_days_sql),
        SQLFile("add_to_rollup_names", PackageText.add_to_rollup_names_sql),
        SQLFile("add_to_rollup_responses", PackageText.add_to_rollup_responses_sql),
        SQLFile("add_to_rollup_stored_hours", PackageText.add_to_rollup_stored_hours_sql),
        SQLFile("add_to_rollup_values", PackageText.add_to_rollup_values_sql),
        SQLFile("add_values", PackageText.add_values_sql),
        SQLFile("app_version_deltas", PackageText.app_version_deltas_sql),
        SQLFile("recompute_deliveries", PackageText.recompute_deliveries_sql),
        SQLFile("apply_upgrades", PackageText.apply_upgrades_sql),
        SQLFile("compact_batches", PackageText.compact_batches_sql),
        SQLFile("differing_report_sums", PackageText.differing_report_sums_sql),
        SQLFile("differing_values", PackageText.differing_values_sql),
        SQLFile("event_checks_of", PackageText.event_checks_of_sql),
        SQLFile("event_counts", PackageText.event_counts_sql),
        SQLFile("event_sums", PackageText.event_sums_sql),
        SQLFile("event_traits", PackageText.event_traits_sql),
        SQLFile("event_deltas", PackageText.event_deltas_sql),
        SQLFile("hour_of", PackageText.hour_of_sql),
        SQLFile("moved_event_counts", PackageText.moved_event_counts_sql),
        SQLFile("name_counts_of", PackageText.name_counts_of_sql),
        SQLFile("rebuild_deliveries", PackageText.rebuild_deliveries_sql),
        SQLFile("rebuild_report_sums", PackageText.rebuild_report_sums_sql),
        SQLFile("rebuild_rollup_actions", PackageText.rebuild_rollup_actions_sql),
        SQLFile("rebuild_rollup_days", PackageText.rebuild_rollup_days_sql),
        SQLFile("rebuild_rollup_deliveries", PackageText.rebuild_rollup_deliveries_sql),
        SQLFile("rebuild_rollup_events", PackageText.rebuild_rollup_events_sql),
        SQLFile("rebuild_rollup_responses", PackageText.rebuild_rollup_responses_sql),
        SQLFile("rebuild_values", PackageText.rebuild_values_sql),
        SQLFile("recount_conversions", PackageText.recount_conversions_sql),
        SQLFile("replace_rows", PackageText.replace_rows_sql),
        SQLFile("response_deltas", PackageText.response_deltas_sql),
        SQLFile("value_deltas", PackageText.value_deltas_sql),
        SQLFile("lock_merges", PackageText.lock_merges_sql),
        SQLFile("roll_up", PackageText.roll_up_sql),
        SQLFile("rollup_rebuild", PackageText.rollup_rebuild_sql),
        SQLFile("rollup_verify", PackageText.rollup_verify_sql),
        SQLFile("running_totals", PackageText.running_totals_sql),
        SQLFile("timed_action_list", PackageText.timed_action_list_sql),
        SQLFile("timed_actions", PackageText.timed_actions_sql),
        SQLFile("gamma", PackageText.gamma_sql),
        SQLFile("holm", PackageText.holm_sql),
        SQLFile("n_needed", PackageText.n_needed_sql),
        SQLFile("normal", PackageText.normal_sql),
        SQLFile("sample_ratio_p", PackageText.sample_ratio_p_sql),
        SQLFile("student_t", PackageText.student_t_sql),
        SQLFile("welch", PackageText.welch_sql),
        SQLFile("within_device", PackageText.within_device_sql),
        SQLFile("mean_value", PackageText.mean_value_sql),
        SQLFile("wilson", PackageText.wilson_sql),
        SQLFile("category_versions", PackageText.category_versions_sql),
        SQLFile("declared_sends", PackageText.declared_sends_sql),
        SQLFile("delivery_action_days", PackageText.delivery_action_days_sql),
        SQLFile("delivery_app_versions", PackageText.delivery_app_versions_sql),
        SQLFile("delivery_days", PackageText.delivery_days_sql),
        SQLFile("delivery_hours", PackageText.delivery_hours_sql),
        SQLFile("text_retention", PackageText.text_retention_sql),
        SQLFile("text_place", PackageText.text_place_sql),
        SQLFile("reply_places", PackageText.reply_places_sql),
        SQLFile("update_sent_categories", PackageText.update_sent_categories_sql),
        SQLFile("decide_replies", PackageText.decide_replies_sql),
        SQLFile("decide_noted_replies", PackageText.decide_noted_replies_sql),
        SQLFile("expired_replies", PackageText.expired_replies_sql),
        SQLFile("keyed_deliveries", PackageText.keyed_deliveries_sql),
        SQLFile("merged_events", PackageText.merged_events_sql),
        SQLFile("checked_events", PackageText.checked_events_sql),
        SQLFile("summed_action_days", PackageText.summed_action_days_sql),
        SQLFile("summed_delivery_days", PackageText.summed_delivery_days_sql),
        SQLFile("summed_campaign_days", PackageText.summed_campaign_days_sql),
        SQLFile("summed_event_hours", PackageText.summed_event_hours_sql),
        SQLFile("summed_goal_days", PackageText.summed_goal_days_sql),
        SQLFile("summed_response_days", PackageText.summed_response_days_sql),
        SQLFile("compare_duplicates", PackageText.compare_duplicates_sql),
        SQLFile("report_hour", PackageText.report_hour_sql),
        SQLFile("preserve_event_counts", PackageText.preserve_event_counts_sql),
        SQLFile("chi_square", PackageText.chi_square_sql),
        SQLFile("difference", PackageText.difference_sql),
        SQLFile("two_proportion_p", PackageText.two_proportion_p_sql),
        SQLFile("rate", PackageText.rate_sql),
        SQLFile("anytime", PackageText.anytime_sql),
        SQLFile("design_effect", PackageText.design_effect_sql),
        SQLFile("detectable_effect", PackageText.detectable_effect_sql),
        SQLFile("experiment_verdict", PackageText.experiment_verdict_sql),
        SQLFile("packed_buckets", PackageText.packed_buckets_sql),
        SQLFile("value_design_effect", PackageText.value_design_effect_sql),
        SQLFile("sample_ratio_p_anytime", PackageText.sample_ratio_p_anytime_sql),
        SQLFile("device_bucket_counts", PackageText.device_bucket_counts_sql),
        SQLFile("device_bucket_totals", PackageText.device_bucket_totals_sql),
        SQLFile("expected_device_buckets", PackageText.expected_device_buckets_sql),
        SQLFile("summed_device_buckets", PackageText.summed_device_buckets_sql),
        SQLFile("delivery_modes", PackageText.delivery_modes_sql),
        SQLFile("expected_action_counts", PackageText.expected_action_counts_sql),
        SQLFile("expected_app_version_counts", PackageText.expected_app_version_counts_sql),
        SQLFile("expected_delivery_counts", PackageText.expected_delivery_counts_sql),
        SQLFile("expected_events", PackageText.expected_events_sql),
        SQLFile("expected_event_checks", PackageText.expected_event_checks_sql),
        SQLFile("expected_names", PackageText.expected_names_sql),
        SQLFile("expected_response_counts", PackageText.expected_response_counts_sql),
        SQLFile("expected_stored_hours", PackageText.expected_stored_hours_sql),
        SQLFile("expected_values", PackageText.expected_values_sql),
    ]

    /// Rows that are part of the program, upserted.
    package static let data: [SQLFile] = [
        SQLFile("metric_definitions", PackageText.metric_definitions_sql)
    ]

    /// The privileges of all roles.
    package static let grants = SQLFile("grants", PackageText.grants_sql)

    /// What a superuser takes from PUBLIC, so that reports can't do it.
    package static let restrictPublic = SQLFile("restrict_public", PackageText.restrict_public_sql)

    /// Everything that can be created again, in the order in which it is installed.
    package static let definitions = frozenFunctions + functionsAndViews + data + [grants]

    /// The built-in reports, in the order in which they are listed.
    package static let reports: [SQLFile] = [
        SQLFile("overview", PackageText.overview_sql),
        SQLFile("conversion", PackageText.conversion_sql),
        SQLFile("value", PackageText.value_sql),
        SQLFile("actions", PackageText.actions_sql),
        SQLFile("funnel", PackageText.funnel_sql),
        SQLFile("timeseries", PackageText.timeseries_sql),
        SQLFile("response-time", PackageText.response_time_sql),
        SQLFile("replies", PackageText.replies_sql),
        SQLFile("experiment", PackageText.experiment_sql),
        SQLFile("failures", PackageText.failures_sql),
        SQLFile("heatmap", PackageText.heatmap_sql),
        SQLFile("fatigue", PackageText.fatigue_sql),
        SQLFile("influence", PackageText.influence_sql),
        SQLFile("lift", PackageText.lift_sql),
        SQLFile("health", PackageText.health_sql),
        SQLFile("undeclared", PackageText.undeclared_sql),
        SQLFile("rejected", PackageText.rejected_sql),
        SQLFile("dialects", PackageText.dialects_sql),
    ]

    // Alerts.
    package static let addAlertChanges = statement("add_alert_changes", PackageText.add_alert_changes_sql)
    package static let addAlertMessages = statement("add_alert_messages", PackageText.add_alert_messages_sql)
    package static let advanceSummary = statement("advance_summary", PackageText.advance_summary_sql)
    package static let claimAlert = statement("claim_alert", PackageText.claim_alert_sql)
    package static let claimAlertMessage = statement("claim_alert_message", PackageText.claim_alert_message_sql)
    package static let closeSpoolStatus = statement("close_spool_status", PackageText.close_spool_status_sql)
    package static let countAlertStates = statement("count_alert_states", PackageText.count_alert_states_sql)
    package static let countOtherAlerts = statement("count_other_alerts", PackageText.count_other_alerts_sql)
    package static let countWaitingMessages = statement(
        "count_waiting_messages", PackageText.count_waiting_messages_sql)
    package static let createAlertSettings = statement("create_alert_settings", PackageText.create_alert_settings_sql)
    package static let deleteAlert = statement("delete_alert", PackageText.delete_alert_sql)
    package static let deleteAlertStates = statement("delete_alert_states", PackageText.delete_alert_states_sql)
    package static let deleteOldAlertHistory = statement(
        "delete_old_alert_history", PackageText.delete_old_alert_history_sql)
    package static let deleteOldAlertMessages = statement(
        "delete_old_alert_messages", PackageText.delete_old_alert_messages_sql)
    package static let disableDestination = statement("disable_destination", PackageText.disable_destination_sql)
    package static let enableDestination = statement("enable_destination", PackageText.enable_destination_sql)
    package static let callCountDialectEvents = statement(
        "call_count_dialect_events", PackageText.call_count_dialect_events_sql)
    package static let claimArrivals = statement("claim_arrivals", PackageText.claim_arrivals_sql)
    package static let findDialectSettings = statement("find_dialect_settings", PackageText.find_dialect_settings_sql)
    package static let putDialectSettings = statement("put_dialect_settings", PackageText.put_dialect_settings_sql)
    package static let findAlertSecret = statement("find_alert_secret", PackageText.find_alert_secret_sql)
    package static let findAlertSettings = statement("find_alert_settings", PackageText.find_alert_settings_sql)
    package static let findDueSummary = statement("find_due_summary", PackageText.find_due_summary_sql)
    package static let finishAlert = statement("finish_alert", PackageText.finish_alert_sql)
    package static let finishAlertMessage = statement("finish_alert_message", PackageText.finish_alert_message_sql)
    package static let installAlerts = statement("install_alerts", PackageText.install_alerts_sql)
    package static let listAlertHistory = statement("list_alert_history", PackageText.list_alert_history_sql)
    package static let listAlertStates = statement("list_alert_states", PackageText.list_alert_states_sql)
    package static let listAlerts = statement("list_alerts", PackageText.list_alerts_sql)
    package static let listDisabledDestinations = statement(
        "list_disabled_destinations", PackageText.list_disabled_destinations_sql)
    package static let lockAlert = statement("lock_alert", PackageText.lock_alert_sql)
    package static let lockAlertClaim = statement("lock_alert_claim", PackageText.lock_alert_claim_sql)
    package static let putAlert = statement("put_alert", PackageText.put_alert_sql)
    package static let putAlertSettings = statement("put_alert_settings", PackageText.put_alert_settings_sql)
    package static let putAlertStates = statement("put_alert_states", PackageText.put_alert_states_sql)
    package static let releaseAlert = statement("release_alert", PackageText.release_alert_sql)
    package static let rotateAlertSecret = statement("rotate_alert_secret", PackageText.rotate_alert_secret_sql)
    package static let trimAlertHistory = statement("trim_alert_history", PackageText.trim_alert_history_sql)
    package static let trimAlertMessages = statement("trim_alert_messages", PackageText.trim_alert_messages_sql)

    package static let createShare = statement("create_share", PackageText.create_share_sql)
    package static let deleteEndedShares = statement("delete_ended_shares", PackageText.delete_ended_shares_sql)
    package static let findShares = statement("find_shares", PackageText.find_shares_sql)
    package static let listShares = statement("list_shares", PackageText.list_shares_sql)
    package static let revokeShare = statement("revoke_share", PackageText.revoke_share_sql)

    package static let archiveCampaign = statement("archive_campaign", PackageText.archive_campaign_sql)
    package static let beginReport = statement("begin_report", PackageText.begin_report_sql)
    package static let beginSchema = statement("begin_schema", PackageText.begin_schema_sql)
    package static let beginSession = statement("begin_session", PackageText.begin_session_sql)
    package static let callAdvanceSeal = statement("call_advance_seal", PackageText.call_advance_seal_sql)
    package static let callAnnounceSeal = statement("call_announce_seal", PackageText.call_announce_seal_sql)
    package static let callBeginRetentionStep = statement(
        "call_begin_retention_step", PackageText.call_begin_retention_step_sql)
    package static let callCompactBatches = statement("call_compact_batches", PackageText.call_compact_batches_sql)
    package static let callDropExpiredPartition = statement(
        "call_drop_expired_partition", PackageText.call_drop_expired_partition_sql)
    package static let callDecideWaitingPage = statement(
        "call_decide_waiting_page", PackageText.call_decide_waiting_page_sql)
    package static let callDropEmptyKeptPartitions = statement(
        "call_drop_empty_kept_partitions", PackageText.call_drop_empty_kept_partitions_sql)
    package static let callEnsurePartitions = statement(
        "call_ensure_partitions", PackageText.call_ensure_partitions_sql)
    package static let callEndReportSessions = statement(
        "call_end_report_sessions", PackageText.call_end_report_sessions_sql)
    package static let callFindErasedDevices = statement(
        "call_find_erased_devices", PackageText.call_find_erased_devices_sql)
    package static let callPurgeDefaultEvents = statement(
        "call_purge_default_events", PackageText.call_purge_default_events_sql)
    package static let callPurgeDeliveries = statement(
        "call_purge_deliveries", PackageText.call_purge_deliveries_sql)
    package static let callPurgeRejected = statement("call_purge_rejected", PackageText.call_purge_rejected_sql)
    package static let callPurgeReplies = statement("call_purge_replies", PackageText.call_purge_replies_sql)
    package static let callMergeApart = statement("call_merge_apart", PackageText.call_merge_apart_sql)
    package static let callRecountStep = statement("call_recount_step", PackageText.call_recount_step_sql)
    package static let callReportDefinitions = statement(
        "call_report_definitions", PackageText.call_report_definitions_sql)
    package static let callRequestErasure = statement("call_request_erasure", PackageText.call_request_erasure_sql)
    package static let callReserveNames = statement("call_reserve_names", PackageText.call_reserve_names_sql)
    package static let callRestoreSuppression = statement(
        "call_restore_suppression", PackageText.call_restore_suppression_sql)
    package static let callRetentionBlocker = statement(
        "call_retention_blocker", PackageText.call_retention_blocker_sql)
    package static let callRetentionPlan = statement("call_retention_plan", PackageText.call_retention_plan_sql)
    package static let countReads = statement("count_reads", PackageText.count_reads_sql)
    package static let callRollUp = statement("call_roll_up", PackageText.call_roll_up_sql)
    package static let callRollupRebuild = statement("call_rollup_rebuild", PackageText.call_rollup_rebuild_sql)
    package static let callRollupVerify = statement("call_rollup_verify", PackageText.call_rollup_verify_sql)
    package static let callRunErasureStep = statement(
        "call_run_erasure_step", PackageText.call_run_erasure_step_sql)
    package static let callRunReport = statement("call_run_report", PackageText.call_run_report_sql)
    package static let callSplitDefaultPartition = statement(
        "call_split_default_partition", PackageText.call_split_default_partition_sql)
    package static let callSealObstacle = statement("call_seal_obstacle", PackageText.call_seal_obstacle_sql)
    package static let callStoredActions = statement("call_stored_actions", PackageText.call_stored_actions_sql)
    package static let callSuppressedEvents = statement(
        "call_suppressed_events", PackageText.call_suppressed_events_sql)
    package static let callTrimKeptPartition = statement(
        "call_trim_kept_partition", PackageText.call_trim_kept_partition_sql)
    package static let callTrimKeptPartitionsAgain = statement(
        "call_trim_kept_partitions_again", PackageText.call_trim_kept_partitions_again_sql)
    package static let categoryActions = statement("category_actions", PackageText.category_actions_sql)
    package static let checkArchive = statement("check_archive", PackageText.check_archive_sql)
    package static let checkCitus = statement("check_citus", PackageText.check_citus_sql)
    package static let checkDefaultPartition = statement(
        "check_default_partition", PackageText.check_default_partition_sql)
    package static let checkErasures = statement("check_erasures", PackageText.check_erasures_sql)
    package static let checkExport = statement("check_export", PackageText.check_export_sql)
    package static let checkReplica = statement("check_replica", PackageText.check_replica_sql)
    package static let checkReplicaMark = statement("check_replica_mark", PackageText.check_replica_mark_sql)
    package static let checkReportLogins = statement("check_report_logins", PackageText.check_report_logins_sql)
    package static let checkReportLimits = statement("check_report_limits", PackageText.check_report_limits_sql)
    package static let checkRestrictable = statement("check_restrictable", PackageText.check_restrictable_sql)
    package static let checkRetentionDue = statement("check_retention_due", PackageText.check_retention_due_sql)
    package static let checkRoles = statement("check_roles", PackageText.check_roles_sql)
    package static let checkSchemaExists = statement("check_schema_exists", PackageText.check_schema_exists_sql)
    package static let checkSearchPath = statement("check_search_path", PackageText.check_search_path_sql)
    package static let checkServer = statement("check_server", PackageText.check_server_sql)
    package static let checkTransactions = statement("check_transactions", PackageText.check_transactions_sql)
    package static let checkWaitingErasure = statement(
        "check_waiting_erasure", PackageText.check_waiting_erasure_sql)
    package static let checkWorker = statement("check_worker", PackageText.check_worker_sql)
    package static let checkWritable = statement("check_writable", PackageText.check_writable_sql)
    package static let clearInstalledDefinitions = statement(
        "clear_installed_definitions", PackageText.clear_installed_definitions_sql)
    package static let countOtherCampaigns = statement(
        "count_other_campaigns", PackageText.count_other_campaigns_sql)
    package static let countRetiredReceiptSecrets = statement(
        "count_retired_receipt_secrets", PackageText.count_retired_receipt_secrets_sql)
    package static let countWaitingBatches = statement(
        "count_waiting_batches", PackageText.count_waiting_batches_sql)
    package static let createApp = statement("create_app", PackageText.create_app_sql)
    package static let createKey = statement("create_key", PackageText.create_key_sql)
    package static let createReceiptSecret = statement(
        "create_receipt_secret", PackageText.create_receipt_secret_sql)
    package static let deviceDeliveries = statement("device_deliveries", PackageText.device_deliveries_sql)
    package static let deviceEvents = statement("device_events", PackageText.device_events_sql)
    package static let deviceRejectedEvents = statement(
        "device_rejected_events", PackageText.device_rejected_events_sql)
    package static let deviceReplies = statement("device_replies", PackageText.device_replies_sql)
    package static let endBlockingSessions = statement(
        "end_blocking_sessions", PackageText.end_blocking_sessions_sql)
    package static let endSession = statement("end_session", PackageText.end_session_sql)
    package static let eraseRejectedPage = statement("erase_rejected_page", PackageText.erase_rejected_page_sql)
    package static let exportDeliveries = statement("export_deliveries", PackageText.export_deliveries_sql)
    package static let exportStart = statement("export_start", PackageText.export_start_sql)
    package static let exportEvents = statement("export_events", PackageText.export_events_sql)
    package static let exportReplies = statement("export_replies", PackageText.export_replies_sql)
    package static let findApp = statement("find_app", PackageText.find_app_sql)
    package static let findCurrentReceiptSecret = statement(
        "find_current_receipt_secret", PackageText.find_current_receipt_secret_sql)
    package static let findDefinitions = statement("find_definitions", PackageText.find_definitions_sql)
    package static let findDevice = statement("find_device", PackageText.find_device_sql)
    package static let findErasure = statement("find_erasure", PackageText.find_erasure_sql)
    package static let findEventIDKey = statement("find_event_id_key", PackageText.find_event_id_key_sql)
    package static let findKeys = statement("find_keys", PackageText.find_keys_sql)
    package static let findLastBatch = statement("find_last_batch", PackageText.find_last_batch_sql)
    package static let findReceiptSecrets = statement("find_receipt_secrets", PackageText.find_receipt_secrets_sql)
    package static let findSchemaTime = statement("find_schema_time", PackageText.find_schema_time_sql)
    package static let findSessions = statement("find_sessions", PackageText.find_sessions_sql)
    package static let findWaitingApps = statement("find_waiting_apps", PackageText.find_waiting_apps_sql)
    package static let inspectDeliveries = statement("inspect_deliveries", PackageText.inspect_deliveries_sql)
    package static let inspectEvents = statement("inspect_events", PackageText.inspect_events_sql)
    package static let inspectFind = statement("inspect_find", PackageText.inspect_find_sql)
    package static let inspectFindEvent = statement("inspect_find_event", PackageText.inspect_find_event_sql)
    package static let inspectFindNotification = statement(
        "inspect_find_notification", PackageText.inspect_find_notification_sql)
    package static let inspectFindRecent = statement("inspect_find_recent", PackageText.inspect_find_recent_sql)
    package static let inspectRejected = statement("inspect_rejected", PackageText.inspect_rejected_sql)
    package static let inspectStatus = statement("inspect_status", PackageText.inspect_status_sql)
    package static let listAppsApart = statement("list_apps_apart", PackageText.list_apps_apart_sql)
    package static let listApps = statement("list_apps", PackageText.list_apps_sql)
    package static let listCampaignVariants = statement(
        "list_campaign_variants", PackageText.list_campaign_variants_sql)
    package static let listCampaigns = statement("list_campaigns", PackageText.list_campaigns_sql)
    package static let listDefinitions = statement("list_definitions", PackageText.list_definitions_sql)
    package static let listInstalledDefinitions = statement(
        "list_installed_definitions", PackageText.list_installed_definitions_sql)
    package static let listKeys = statement("list_keys", PackageText.list_keys_sql)
    package static let listSchemaFiles = statement("list_schema_files", PackageText.list_schema_files_sql)
    package static let lockApp = statement("lock_app", PackageText.lock_app_sql)
    package static let lockSeal = statement("lock_seal", PackageText.lock_seal_sql)
    package static let markForReplicas = statement("mark_for_replicas", PackageText.mark_for_replicas_sql)
    package static let mergeTogether = statement("merge_together", PackageText.merge_together_sql)
    package static let monthContents = statement("month_contents", PackageText.month_contents_sql)
    package static let nextExpiredMonth = statement("next_expired_month", PackageText.next_expired_month_sql)
    package static let nextRecount = statement("next_recount", PackageText.next_recount_sql)
    package static let nextRejectedPage = statement("next_rejected_page", PackageText.next_rejected_page_sql)
    package static let nextSeal = statement("next_seal", PackageText.next_seal_sql)
    package static let newestCategories = statement("newest_categories", PackageText.newest_categories_sql)
    package static let planArchive = statement("plan_archive", PackageText.plan_archive_sql)
    package static let probeDisk = statement("probe_disk", PackageText.probe_disk_sql)
    package static let putCampaign = statement("put_campaign", PackageText.put_campaign_sql)
    package static let putCategories = statement("put_categories", PackageText.put_categories_sql)
    package static let putSends = statement("put_sends", PackageText.put_sends_sql)
    package static let readDatabaseHealth = statement("read_database_health", PackageText.read_database_health_sql)
    package static let readLive = statement("read_live", PackageText.read_live_sql)
    package static let readReplayedUntil = statement("read_replayed_until", PackageText.read_replayed_until_sql)
    package static let readSuppressionList = statement(
        "read_suppression_list", PackageText.read_suppression_list_sql)
    package static let recordInstalledDefinitions = statement(
        "record_installed_definitions", PackageText.record_installed_definitions_sql)
    package static let recordRetentionRun = statement("record_retention_run", PackageText.record_retention_run_sql)
    package static let recordSchemaFile = statement("record_schema_file", PackageText.record_schema_file_sql)
    package static let retireCategories = statement("retire_categories", PackageText.retire_categories_sql)
    package static let retireReceiptSecrets = statement(
        "retire_receipt_secrets", PackageText.retire_receipt_secrets_sql)
    package static let readClock = statement("read_clock", PackageText.read_clock_sql)
    package static let rejectedPage = statement("rejected_page", PackageText.rejected_page_sql)
    package static let revokeAppKey = statement("revoke_app_key", PackageText.revoke_app_key_sql)
    package static let revokeKey = statement("revoke_key", PackageText.revoke_key_sql)
    package static let searchedHashes = statement("searched_hashes", PackageText.searched_hashes_sql)
    package static let searchPublic = statement("search_public", PackageText.search_public_sql)
    package static let setReceiptPolicy = statement("set_receipt_policy", PackageText.set_receipt_policy_sql)
    package static let storeGroup = statement("store_group", PackageText.store_group_sql)
    package static let storeNewEvents = statement("store_new_events", PackageText.store_new_events_sql)
    package static let updateCategories = statement("update_categories", PackageText.update_categories_sql)
    package static let upsertSpoolStatus = statement("upsert_spool_status", PackageText.upsert_spool_status_sql)
    package static let waitForErasureRequests = statement(
        "wait_for_erasure_requests", PackageText.wait_for_erasure_requests_sql)

    /// What the program sends, one statement a file.
    package static let statements: [SQLFile] = [
        addAlertChanges, addAlertMessages, advanceSummary, archiveCampaign, beginReport, beginSchema, beginSession,
        callAdvanceSeal, callAnnounceSeal, callBeginRetentionStep, callCompactBatches, callCountDialectEvents,
        callDecideWaitingPage, callDropEmptyKeptPartitions, callDropExpiredPartition, callEndReportSessions,
        callEnsurePartitions, callFindErasedDevices, callMergeApart, callPurgeDefaultEvents, callPurgeDeliveries,
        callPurgeRejected, callPurgeReplies, callRecountStep, callReportDefinitions, callRequestErasure,
        callReserveNames, callRestoreSuppression, callRetentionBlocker, callRetentionPlan, callRollUp,
        callRollupRebuild, callRollupVerify, callRunErasureStep, callRunReport, callSealObstacle,
        callSplitDefaultPartition, callStoredActions, callSuppressedEvents, callTrimKeptPartition,
        callTrimKeptPartitionsAgain, categoryActions, checkArchive, checkCitus, checkDefaultPartition, checkErasures,
        checkExport, checkReplica, checkReplicaMark, checkReportLimits, checkReportLogins, checkRestrictable,
        checkRetentionDue, checkRoles, checkSchemaExists, checkSearchPath, checkServer, checkTransactions,
        checkWaitingErasure, checkWorker, checkWritable, claimAlert, claimAlertMessage, claimArrivals,
        clearInstalledDefinitions, closeSpoolStatus, countAlertStates, countOtherAlerts, countOtherCampaigns,
        countReads, countRetiredReceiptSecrets, countWaitingBatches, countWaitingMessages, createAlertSettings,
        createApp, createKey, createReceiptSecret, createShare, deleteAlert, deleteAlertStates, deleteEndedShares,
        deleteOldAlertHistory, deleteOldAlertMessages, deviceDeliveries, deviceEvents, deviceRejectedEvents,
        deviceReplies, disableDestination, enableDestination, endBlockingSessions, endSession, eraseRejectedPage,
        exportDeliveries, exportEvents, exportReplies, exportStart, findAlertSecret, findAlertSettings, findApp,
        findCurrentReceiptSecret,
        findDefinitions, findDevice, findDialectSettings, findDueSummary, findErasure, findEventIDKey, findKeys,
        findLastBatch, findReceiptSecrets, findSchemaTime, findSessions, findShares, findWaitingApps, finishAlert,
        finishAlertMessage, inspectDeliveries, inspectEvents, inspectFind, inspectFindEvent, inspectFindNotification,
        inspectFindRecent, inspectRejected, inspectStatus, installAlerts, listAlertHistory, listAlertStates, listAlerts,
        listApps, listAppsApart, listCampaignVariants, listCampaigns, listDefinitions, listDisabledDestinations,
        listInstalledDefinitions, listKeys, listSchemaFiles, listShares, lockAlert, lockAlertClaim, lockApp, lockSeal,
        markForReplicas, mergeTogether, monthContents, newestCategories, nextExpiredMonth, nextRecount,
        nextRejectedPage, nextSeal, planArchive, probeDisk, putAlert, putAlertSettings, putAlertStates, putCampaign,
        putCategories, putDialectSettings, putSends, readClock, readDatabaseHealth, readLive, readReplayedUntil,
        readSuppressionList, recordInstalledDefinitions, recordRetentionRun, recordSchemaFile, rejectedPage,
        releaseAlert, retireCategories, retireReceiptSecrets, revokeAppKey, revokeKey, revokeShare, rotateAlertSecret,
        searchedHashes, searchPublic, setReceiptPolicy, storeGroup, storeNewEvents,
        trimAlertHistory, trimAlertMessages, updateCategories, upsertSpoolStatus, waitForErasureRequests,
    ]

    /// A statement begins with its name, as a comment: error messages and `pg_stat_activity` show that.
    private static func statement(_ name: String, _ text: String) -> SQLFile {
        SQLFile(name, "-- \(name)\n" + text)
    }
}
