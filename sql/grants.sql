-- The privileges of all roles. The file is installed as a whole whenever the functions, views, data or grants of a
-- database are out of date: it revokes everything first, then grants.
--
-- afterpush_ingest   the HTTP server: adds events and declared sends, and reads what validation needs
-- afterpush_worker   the rollup worker: the only role that writes deliveries and rollups
-- afterpush_report   reports and dashboards' logins: read only, and only the rows of one app (row-level security; see
--                    report_app); owns nothing
-- afterpush_confined a team's own reports: what afterpush_report may do, through membership; owns run_report alone
-- afterpush_owner    owns the schema, migrates and administers; needs no grants

revoke all on all tables in schema afterpush
    from public, afterpush_ingest, afterpush_worker, afterpush_report, afterpush_confined;
revoke all on all sequences in schema afterpush
    from public, afterpush_ingest, afterpush_worker, afterpush_report, afterpush_confined;
revoke all on all routines in schema afterpush
    from public, afterpush_ingest, afterpush_worker, afterpush_report, afterpush_confined;
-- Functions that a later version adds can't be executed until they are granted here. PostgreSQL lets everyone execute
-- new functions by default; default privileges of a schema can only add to that, so this revokes it for all schemas.
alter default privileges for role afterpush_owner revoke execute on functions from public;

grant usage on schema afterpush to afterpush_ingest, afterpush_worker, afterpush_report;

-- Ingest. `on conflict` needs to read the columns of the key.
grant select (app_id, name, text_retention, receipt_policy, created_at, event_id_key) on afterpush.apps
    to afterpush_ingest;
grant select on afterpush.api_keys to afterpush_ingest;
grant select (app_id, secret_id, secret, created_at, retired_at) on afterpush.receipt_secrets to afterpush_ingest;
grant select (app_id, category_id, version, text_retention) on afterpush.categories to afterpush_ingest;
grant insert on afterpush.ingest_barrier, afterpush.batches, afterpush.events, afterpush.event_upgrades,
    afterpush.replies, afterpush.waiting_replies, afterpush.rejected_events, afterpush.sends to afterpush_ingest;
grant select (app_id, delivery_id, event_id, device_time) on afterpush.events, afterpush.event_upgrades,
    afterpush.replies, afterpush.waiting_replies to afterpush_ingest;
grant select (verified) on afterpush.events to afterpush_ingest;
grant select (app_id, fingerprint) on afterpush.rejected_events to afterpush_ingest;
grant select (app_id, send_id) on afterpush.sends to afterpush_ingest;
grant usage on sequence afterpush.batch_ids to afterpush_ingest;
grant select (app_id, device_hash, suppressed_at, suppression_id, key_id) on afterpush.suppressed_devices to afterpush_ingest;
grant select on afterpush.suppression_keys, afterpush.retention_state to afterpush_ingest;
grant select, insert, update on afterpush.spools to afterpush_ingest;
grant select, insert, update, delete on afterpush.dialect_events, afterpush.event_arrivals to afterpush_ingest;
grant select on afterpush.dialect_settings to afterpush_ingest;
-- Update, because begin_session locks expired rows (`for update skip locked`) before it deletes them.
grant select, insert, update, delete on afterpush.sessions to afterpush_ingest;
grant select on afterpush.shares to afterpush_ingest;

-- The rollup worker.
grant select (app_id, name, text_retention, created_at) on afterpush.apps to afterpush_worker;
grant select on afterpush.categories, afterpush.actions, afterpush.campaigns, afterpush.category_versions,
    afterpush.batches, afterpush.counted_deliveries, afterpush.events, afterpush.keyed_deliveries,
    afterpush.merged_events, afterpush.checked_events, afterpush.suppression_keys, afterpush.waiting_replies
    to afterpush_worker;
grant update (rolled_up_at) on afterpush.batches to afterpush_worker;
grant update (counted_window, next_window, recounted_device, recounted_delivery) on afterpush.campaigns to afterpush_worker;
grant select (device_time) on afterpush.events_default to afterpush_worker;
grant select, update on afterpush.rollup_worker, afterpush.merge_locks to afterpush_worker;
grant select, insert, update, delete on afterpush.apps_merged_apart to afterpush_worker;
grant select, insert, update, delete on afterpush.deliveries, afterpush.rollup_delivery_counts,
    afterpush.rollup_app_version_counts, afterpush.rollup_action_counts, afterpush.rollup_response_counts,
    afterpush.rollup_events, afterpush.rollup_event_hours, afterpush.rollup_delivery_days, afterpush.rollup_goal_days,
    afterpush.rollup_action_days, afterpush.rollup_response_days, afterpush.rollup_device_buckets,
    afterpush.rollup_device_bucket_totals, afterpush.rollup_device_changes, afterpush.rollup_campaign_days,
    afterpush.erased_event_counts, afterpush.delivery_values, afterpush.rollup_values, afterpush.rollup_event_checks,
    afterpush.rollup_names, afterpush.rollup_stored_hours to afterpush_worker;
grant select, insert, delete on afterpush.late_deliveries, afterpush.replica_marks to afterpush_worker;
grant select, insert, update, delete on afterpush.alert_rules, afterpush.alert_states, afterpush.alert_history,
    afterpush.alert_messages, afterpush.disabled_destinations to afterpush_worker;
grant select, insert, update on afterpush.alert_settings to afterpush_worker;
grant select (recounts_awaited_at, recounts_awaited_since) on afterpush.retention_state to afterpush_worker;
grant select (app_id, device_hash, requested_at, phase, finished_at, events, replies, rejected, deliveries)
    on afterpush.erasures to afterpush_worker;

-- Reports.
grant select (app_id, name, text_retention, created_at) on afterpush.apps to afterpush_report;
grant select on afterpush.categories, afterpush.actions, afterpush.campaigns, afterpush.campaign_variants,
    afterpush.category_versions, afterpush.sends, afterpush.undeclared_names, afterpush.metric_definitions,
    afterpush.batches, afterpush.events, afterpush.replies, afterpush.rejected_events, afterpush.spools,
    afterpush.deliveries, afterpush.rollup_delivery_counts, afterpush.rollup_app_version_counts,
    afterpush.rollup_action_counts, afterpush.rollup_response_counts, afterpush.rollup_deliveries,
    afterpush.rollup_app_versions, afterpush.rollup_actions, afterpush.rollup_responses, afterpush.rollup_events,
    afterpush.rollup_event_hours, afterpush.rollup_delivery_days, afterpush.rollup_goal_days,
    afterpush.rollup_action_days, afterpush.rollup_response_days, afterpush.sealed_goals, afterpush.delivery_days,
    afterpush.delivery_action_days, afterpush.delivery_hours, afterpush.delivery_app_versions,
    afterpush.declared_sends, afterpush.rollup_device_buckets, afterpush.rollup_device_bucket_totals,
    afterpush.rollup_device_changes, afterpush.device_bucket_counts, afterpush.device_bucket_totals,
    afterpush.rollup_campaign_days, afterpush.rollup_values, afterpush.rollup_event_checks, afterpush.rollup_names,
    afterpush.rollup_stored_hours, afterpush.dialect_events, afterpush.retention_deletions
    to afterpush_report;
grant select (sealed_before) on afterpush.rollup_worker to afterpush_report;
grant select (app_id, device_id, finished_at) on afterpush.erasures to afterpush_report;

-- Functions that run as the owner, or that only one role needs.
grant execute on function afterpush.stored_actions, afterpush.compare_duplicates,
    afterpush.suppressed_events, afterpush.has_suppressed_events, afterpush.reserve_names,
    afterpush.hold_ingest_barrier, afterpush.open_report, afterpush.reply_places
    to afterpush_ingest;
grant execute on function afterpush.ensure_partitions, afterpush.split_default_partition, afterpush.merged_actions, afterpush.roll_up,
    afterpush.run_erasure_step, afterpush.find_erased_devices, afterpush.request_erasure,
    afterpush.restore_suppression, afterpush.end_report_sessions, afterpush.count_names_with_id,
    afterpush.apply_upgrades, afterpush.note_replies_of_batches, afterpush.decide_noted_replies,
    afterpush.decide_due_replies
    to afterpush_worker;
grant execute on function afterpush.anchor_hour, afterpush.kind_bit, afterpush.time_bucket
    to afterpush_worker, afterpush_report;
grant execute on function afterpush.as_of, afterpush.bucket_seconds, afterpush.definitions,
    afterpush.first_instant, afterpush.missing_rates, afterpush.rate, afterpush.rate_high,
    afterpush.rate_low, afterpush.report_app,
    afterpush.report_attribution_problems, afterpush.report_by, afterpush.report_closing_times,
    afterpush.report_conflict_bit, afterpush.report_event_problems, afterpush.report_event_statistics,
    afterpush.report_from_responses_bit, afterpush.report_intake_checks, afterpush.report_openings,
    afterpush.report_selected_deliveries, afterpush.report_time, afterpush.report_token_events,
    afterpush.report_version_coverage, afterpush.rfc3339, afterpush.run_report, afterpush.suppressed,
    afterpush.wilson_high, afterpush.wilson_low
    to afterpush_report;

-- All other functions run with the privileges of their caller, so all three roles may execute them, except that reports
-- have no use for volatile functions, which write. Not granted are trigger functions, which PostgreSQL runs without that
-- privilege, and rollup_rebuild, rollup_verify and report_claim, which are for the owner.
do $$
declare
    routine regprocedure;
    writes boolean;
begin
    for routine, writes in
        select p.oid, p.provolatile = 'v'
        from pg_catalog.pg_proc as p
        where p.pronamespace = 'afterpush'::regnamespace
          and not p.prosecdef
          and p.prorettype <> 'trigger'::regtype
          and p.proname <> all (array['rollup_rebuild', 'rollup_verify', 'report_claim'])
          and not has_function_privilege('afterpush_ingest', p.oid, 'execute')
          and not has_function_privilege('afterpush_worker', p.oid, 'execute')
          and not has_function_privilege('afterpush_report', p.oid, 'execute')
    loop
        execute format(
            'grant execute on routine %s to afterpush_ingest, afterpush_worker%s', routine,
            case when not writes then ', afterpush_report' end
        );
    end loop;
end
$$;
