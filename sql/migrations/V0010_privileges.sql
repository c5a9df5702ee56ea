-- Who may do what. ingest can only add; the worker alone writes deliveries and rollups; report only reads, and only the
-- rows of the app whose token it shows. The owner, who migrates and administers, is bound by none of this.

-- The app whose rows the role afterpush_report sees. Runs as the owner, because the role can't read tokens: a query
-- may set another value, but cannot know one.
create function afterpush.report_app() returns integer
language sql stable
security definer
set search_path = pg_catalog, pg_temp
return (
    select app_id
    from afterpush.apps
    where report_token = nullif(current_setting('afterpush.report_token', true), '')::uuid
);
comment on function afterpush.report_app is 'The app whose token the session shows; null without one.';

-- What a later migration adds starts closed as well.
alter default privileges in schema afterpush revoke execute on functions from public;
revoke execute on all functions in schema afterpush from public;

grant select (app_id, name, text_retention, created_at) on afterpush.apps
    to afterpush_ingest, afterpush_worker, afterpush_report;
grant select on afterpush.api_keys to afterpush_ingest;
grant select (app_id, category_id, version, text_retention) on afterpush.categories to afterpush_ingest;
grant insert on afterpush.batches, afterpush.events, afterpush.replies, afterpush.rejected_events to afterpush_ingest;
-- Conflict detection reads the key.
grant select (app_id, delivery_id, event_id, device_time) on afterpush.events, afterpush.replies to afterpush_ingest;
grant select (app_id, fingerprint) on afterpush.rejected_events to afterpush_ingest;
grant usage on sequence afterpush.batch_ids to afterpush_ingest;
grant select on afterpush.suppressed_devices to afterpush_ingest;

grant select on afterpush.events, afterpush.batches, afterpush.categories, afterpush.actions, afterpush.campaigns
    to afterpush_worker;
grant update (rolled_up_at) on afterpush.batches to afterpush_worker;
grant select, update on afterpush.rollup_worker to afterpush_worker;
grant select, insert, update, delete on afterpush.deliveries, afterpush.rollup_deliveries,
    afterpush.rollup_app_versions, afterpush.rollup_actions to afterpush_worker;

grant select on afterpush.categories, afterpush.actions, afterpush.campaigns, afterpush.campaign_variants,
    afterpush.sends, afterpush.batches, afterpush.events, afterpush.rejected_events, afterpush.deliveries,
    afterpush.rollup_deliveries, afterpush.rollup_app_versions, afterpush.rollup_actions, afterpush.category_versions,
    afterpush.metric_definitions
    to afterpush_report;
grant select on afterpush.category_versions to afterpush_worker;

grant execute on function afterpush.ensure_partitions, afterpush.kind_bit, afterpush.merged_actions,
    afterpush.concatenated(afterpush.delivery_action[]), afterpush.anchor_hour, afterpush.merged_deliveries,
    afterpush.contributions, afterpush.action_contributions, afterpush.time_bucket, afterpush.roll_up
    to afterpush_worker;
grant execute on function afterpush.rate, afterpush.wilson_low, afterpush.wilson_high, afterpush.rate_low,
    afterpush.rate_high, afterpush.suppressed, afterpush.rfc3339, afterpush.report_time, afterpush.as_of,
    afterpush.definitions, afterpush.report_by, afterpush.report_facts, afterpush.report_action_facts, afterpush.report_app,
    afterpush.bucket_seconds, afterpush.time_bucket, afterpush.kind_bit, afterpush.anchor_hour
    to afterpush_report;
grant execute on function afterpush.conflicting_events, afterpush.actions_stored to afterpush_ingest;

alter table afterpush.apps enable row level security;
create policy report on afterpush.apps for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.apps for select to afterpush_ingest, afterpush_worker using (true);

do $$
declare
    name text;
begin
    foreach name in array array[
        'api_keys', 'categories', 'actions', 'campaigns', 'campaign_variants', 'sends', 'batches', 'events', 'replies',
        'rejected_events', 'suppressed_devices', 'deliveries', 'rollup_deliveries', 'rollup_app_versions',
        'rollup_actions'
    ]
    loop
        execute format('alter table afterpush.%I enable row level security', name);
        execute format(
            'create policy report on afterpush.%I for select to afterpush_report
             using (app_id = (select afterpush.report_app()))', name
        );
        execute format(
            'create policy serve on afterpush.%I to afterpush_ingest, afterpush_worker using (true) with check (true)',
            name
        );
    end loop;
end
$$;
