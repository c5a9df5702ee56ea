-- What retention would delete at the moment, for `afterpush retention --dry-run`.
--
-- The arguments are the retention periods of events, deliveries and rejected events; null keeps them.
-- Returns a row per item: what is deleted, which part of it, and how many rows; for a partition an estimate.
create or replace function afterpush.retention_plan(
    events_period interval, deliveries_period interval, rejected_period interval
)
returns table (what text, item text, affected bigint)
language plpgsql stable
as $$
declare
    cutoff constant timestamptz := afterpush.retention_cutoff(events_period);
    kept text;
    rows_of_kept bigint;
    expired_of_kept bigint := 0;
begin
    return query
    select
        'events',
        p.partition,
        greatest(
            (select c.reltuples from pg_class as c where c.oid = ('afterpush.' || p.partition)::regclass), 0
        )::bigint
    from afterpush.expired_partitions(cutoff) as p (partition)
    union all
    select 'events', 'in the default partition', count(*)
    from afterpush.events_default as e
    where e.occurred_at < cutoff
      and not exists (
          select
          from afterpush.deliveries as d
          where d.delivery_id = e.delivery_id
            and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= cutoff
      )
    having count(*) > 0;

    if events_period is not null then
        for kept in select k.partition from afterpush.kept_partitions as k loop
            execute format(
                'select count(*)
                 from afterpush.%I as e
                 where e.occurred_at < $1
                   and not exists (
                       select
                       from afterpush.deliveries as d
                       where d.delivery_id = e.delivery_id
                         and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= $1
                   )',
                kept
            ) into rows_of_kept using cutoff;
            expired_of_kept := expired_of_kept + rows_of_kept;
        end loop;
    end if;
    if expired_of_kept > 0 then
        return query select 'events', 'of months with events that are still needed', expired_of_kept;
    end if;

    return query
    select
        'deliveries',
        'anchored before ' || afterpush.rfc3339(afterpush.retention_cutoff(deliveries_period)),
        count(*)
    from afterpush.deliveries as d
    where deliveries_period is not null
      and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at)
          < afterpush.retention_cutoff(deliveries_period)
      and not exists (select from afterpush.replies as r where r.delivery_id = d.delivery_id)
      and not exists (select from afterpush.waiting_replies as r where r.delivery_id = d.delivery_id)
    having count(*) > 0
    union all
    select 'replies', 'past the text retention of their category or app', count(*)
    from (
        select from afterpush.expired_replies
        union all
        select from afterpush.expired_waiting_replies
    ) as expired
    having count(*) > 0
    union all
    select 'rejected', 'arrived before ' || afterpush.rfc3339((select afterpush.retention_time()) - rejected_period), count(*)
    from afterpush.rejected_events
    where received_at < (select afterpush.retention_time()) - rejected_period
    having count(*) > 0;
end
$$;
comment on function afterpush.retention_plan is 'Returns what retention would delete at the moment, a row per item.';
