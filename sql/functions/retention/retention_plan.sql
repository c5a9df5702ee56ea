-- The default partition holds events as well that are past their time: of months before the first partition, and of clocks far off.
create or replace function afterpush.retention_plan(events_kept interval, deliveries_kept interval, rejected_kept interval)
returns table (what text, item text, affected bigint)
language sql stable
as $$
    select
        'events',
        p.part,
        greatest((select c.reltuples from pg_class as c where c.oid = ('afterpush.' || p.part)::regclass), 0)::bigint
    from afterpush.expired_partitions(afterpush.retention_cutoff(events_kept)) as p (part)
    union all
    select 'events', 'in the default partition', count(*)
    from afterpush.events_default as e
    where e.occurred_at < afterpush.retention_cutoff(events_kept)
      and not exists (
          select
          from afterpush.deliveries as d
          where d.delivery_id = e.delivery_id
            and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) >= afterpush.retention_cutoff(events_kept)
      )
    having count(*) > 0
    union all
    select 'deliveries', 'anchored before ' || afterpush.rfc3339(afterpush.retention_cutoff(deliveries_kept)), count(*)
    from afterpush.deliveries as d
    where deliveries_kept is not null
      and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < afterpush.retention_cutoff(deliveries_kept)
    having count(*) > 0
    union all
    select 'replies', 'past their category''s or app''s time', count(*)
    from afterpush.expired_replies
    having count(*) > 0
    union all
    select 'rejected', 'arrived before ' || afterpush.rfc3339(now() - rejected_kept), count(*)
    from afterpush.rejected_events
    where received_at < now() - rejected_kept
    having count(*) > 0
$$;
comment on function afterpush.retention_plan is 'What retention would do now, a line each.';
