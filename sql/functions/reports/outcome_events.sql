-- The outcomes of devices within a time: `converted` events that name no notification, and `app_opened` events, whose name
-- is app_opened. An outcome without a name has an empty one.
--
-- starts, ends: when they occurred, both included. only_outcome: null for all. only_verified: only verified events.
create or replace function afterpush.outcome_events(
    of_app integer, starts timestamptz, ends timestamptz, only_outcome text, only_verified boolean
)
returns table (
    device_id text, occurred_at timestamptz, name text, value numeric, currency text, verified boolean
)
language plpgsql stable
-- Planned for its arguments, above all for its times.
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
    -- Batches that are not in the rollups yet are in no report.
    waiting constant bigint[] := afterpush.report_waiting_batches();
begin
    return query
    select e.device_id, e.occurred_at, coalesce(e.name, ''), e.value, e.currency, e.verified
    from afterpush.events as e
    where e.app_id = of_app
      and e.kind = 'converted'
      and e.notification_id is null
      and e.occurred_at between starts and ends
      and (only_outcome is null or e.name = only_outcome)
      and (not only_verified or e.verified)
      and e.batch_id <> all (waiting)
    union all
    select e.device_id, e.occurred_at, 'app_opened', null, null, e.verified
    from afterpush.events as e
    where e.app_id = of_app
      and e.kind = 'app_opened'
      and e.occurred_at between starts and ends
      and (only_outcome is null or only_outcome = 'app_opened')
      and (not only_verified or e.verified)
      and e.batch_id <> all (waiting);
end
$$;
comment on function afterpush.outcome_events is 'Returns the outcomes of devices within a time.';
