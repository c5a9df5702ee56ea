-- Who may do what, on one page. Installed again, whole, whenever a file of sql/functions, sql/views, sql/data or this one
-- changes: first everything is revoked, then granted.
--
-- afterpush_ingest   the collector's HTTP side: may add events and declared sends, and read what validation needs
-- afterpush_worker   the rollup worker: alone writes deliveries and rollups
-- afterpush_report   reports: may only read, and only the rows of one app (row-level security; see report_app)
-- afterpush_owner    owns everything, migrates and administers; nothing here binds it

revoke all on all tables in schema afterpush from public, afterpush_ingest, afterpush_worker, afterpush_report;
revoke all on all sequences in schema afterpush from public, afterpush_ingest, afterpush_worker, afterpush_report;
revoke all on all routines in schema afterpush from public, afterpush_ingest, afterpush_worker, afterpush_report;
-- A function that a later version adds is closed until it is granted here. A default for one schema would take nothing
-- back of PostgreSQL's own default, so this one is for all schemas.
alter default privileges for role afterpush_owner revoke execute on functions from public;

grant usage on schema afterpush to afterpush_ingest, afterpush_worker, afterpush_report;

-- Ingest. Conflict detection (`on conflict`) reads the columns of the key.
grant select (app_id, name, text_retention, receipt_policy, created_at) on afterpush.apps to afterpush_ingest;
grant select on afterpush.api_keys to afterpush_ingest;
grant select (app_id, secret_id, secret, created_at, retired_at) on afterpush.receipt_secrets to afterpush_ingest;
grant select (app_id, category_id, version, text_retention) on afterpush.categories to afterpush_ingest;
grant insert on afterpush.ingest_barrier, afterpush.batches, afterpush.events, afterpush.replies, afterpush.rejected_events,
    afterpush.sends to afterpush_ingest;
grant select (app_id, delivery_id, event_id, device_time) on afterpush.events, afterpush.replies to afterpush_ingest;
grant select (app_id, fingerprint) on afterpush.rejected_events to afterpush_ingest;
grant select (app_id, send_id) on afterpush.sends to afterpush_ingest;
grant usage on sequence afterpush.batch_ids to afterpush_ingest;
grant select (app_id, device_hash, suppression_id, key_id) on afterpush.suppressed_devices to afterpush_ingest;
grant select on afterpush.suppression_keys, afterpush.retention_state to afterpush_ingest;
grant select, insert, update on afterpush.spools to afterpush_ingest;
-- Update, because expired rows are locked before they are deleted, so that two collectors don't wait for each other.
grant select, insert, update, delete on afterpush.sessions to afterpush_ingest;

-- The rollup worker.
grant select (app_id, name, text_retention, created_at) on afterpush.apps to afterpush_worker;
grant select on afterpush.categories, afterpush.actions, afterpush.campaigns, afterpush.category_versions,
    afterpush.batches, afterpush.events, afterpush.merged_events, afterpush.suppression_keys to afterpush_worker;
grant update (rolled_up_at) on afterpush.batches to afterpush_worker;
grant select (device_time) on afterpush.events_default to afterpush_worker;
grant select, update on afterpush.rollup_worker to afterpush_worker;
grant select, insert, update, delete on afterpush.deliveries, afterpush.rollup_deliveries,
    afterpush.rollup_app_versions, afterpush.rollup_actions, afterpush.rollup_responses, afterpush.rollup_events,
    afterpush.rollup_event_hours, afterpush.rollup_delivery_days, afterpush.rollup_goal_days,
    afterpush.rollup_action_days, afterpush.rollup_response_days, afterpush.erased_event_counts to afterpush_worker;
grant select, insert, delete on afterpush.late_deliveries to afterpush_worker;
grant select (app_id, device_hash, requested_at, phase, finished_at, events, replies, rejected, deliveries)
    on afterpush.erasures to afterpush_worker;

-- Reports.
grant select (app_id, name, text_retention, created_at) on afterpush.apps to afterpush_report;
grant select on afterpush.categories, afterpush.actions, afterpush.campaigns, afterpush.campaign_variants,
    afterpush.category_versions, afterpush.sends, afterpush.undeclared_names, afterpush.metric_definitions,
    afterpush.batches, afterpush.events, afterpush.replies, afterpush.rejected_events, afterpush.spools,
    afterpush.deliveries, afterpush.rollup_deliveries, afterpush.rollup_app_versions, afterpush.rollup_actions,
    afterpush.rollup_responses, afterpush.rollup_events, afterpush.rollup_event_hours,
    afterpush.rollup_delivery_days, afterpush.rollup_goal_days, afterpush.rollup_action_days,
    afterpush.rollup_response_days, afterpush.sealed_goals to afterpush_report;

-- Functions that run as the owner, or that one role alone has use for.
grant execute on function afterpush.stored_actions, afterpush.count_conflicting_events,
    afterpush.suppressed_events, afterpush.has_suppressed_events, afterpush.reserve_names, afterpush.hold_ingest_barrier
    to afterpush_ingest;
grant execute on routine afterpush.concatenated(afterpush.delivery_action[]) to afterpush_worker;
grant execute on function afterpush.ensure_partitions, afterpush.merged_actions, afterpush.roll_up, afterpush.run_erasure_step,
    afterpush.find_erased_devices, afterpush.request_erasure, afterpush.restore_suppression
    to afterpush_worker;
grant execute on function afterpush.anchor_hour, afterpush.kind_bit, afterpush.time_bucket
    to afterpush_worker, afterpush_report;
grant execute on function afterpush.as_of, afterpush.bucket_seconds, afterpush.definitions, afterpush.first_instant,
    afterpush.rate, afterpush.rate_high, afterpush.rate_low, afterpush.report_app, afterpush.report_by,
    afterpush.report_openings, afterpush.report_time, afterpush.rfc3339, afterpush.run_report, afterpush.suppressed,
    afterpush.wilson_high, afterpush.wilson_low
    to afterpush_report;

-- Any other function runs with its caller's rights, so it can do no more than its caller could without it. Triggers
-- need no grant; rollup_rebuild and rollup_verify are the owner's.
do $$
declare
    routine regprocedure;
begin
    for routine in
        select p.oid
        from pg_catalog.pg_proc as p
        where p.pronamespace = 'afterpush'::regnamespace
          and not p.prosecdef
          and (p.prorettype <> 'trigger'::regtype or p.proname = 'enforce_suppression')
          and p.proname <> all (array['rollup_rebuild', 'rollup_verify'])
          and not has_function_privilege('afterpush_ingest', p.oid, 'execute')
          and not has_function_privilege('afterpush_worker', p.oid, 'execute')
          and not has_function_privilege('afterpush_report', p.oid, 'execute')
    loop
        execute format(
            'grant execute on routine %s to afterpush_ingest, afterpush_worker, afterpush_report', routine
        );
    end loop;
end
$$;
