-- The checks of report health that don't concern single events: how far the rollups are behind, what collectors still
-- hold in their spools, and what was received in the selected hours. `place` orders the report's sections.
create or replace function afterpush.report_intake_checks(
    app text, from_hour timestamptz, to_hour timestamptz, as_of timestamptz
)
returns table (
    place integer, section text, item text, value double precision, unit text, n bigint, at timestamptz, flag text,
    detail text
)
language plpgsql stable parallel safe
rows 10
-- Planned for the app, whose batches may be few among many.
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_intake_checks.app);
begin
    return query
    with waiting as (
        select count(*) as batches, coalesce(sum(b.events), 0) as events
        from (
            select b.events
            from afterpush.batches as b
            where b.rolled_up_at is null
              and b.app_id = this_app
            order by b.batch_id + 0
            offset 0
        ) as b
    ),
    -- A collector that holds nothing and no longer reports has ended.
    spooled as (
        select s.events, s.oldest_at, s.reported_at, s.reported_at < now() - interval '1 minute' as away
        from afterpush.spools as s
        where s.events > 0
           or s.reported_at >= now() - interval '1 minute'
    ),
    intake as (
        select
            coalesce(sum(b.events), 0) as stored,
            coalesce(sum(b.duplicates), 0) as duplicates,
            coalesce(sum(b.conflicts), 0) as conflicts,
            coalesce(sum(b.rejected), 0) as rejected,
            coalesce(sum(b.events::bigint + b.duplicates + b.rejected), 0)::bigint as received
        from afterpush.batches as b
        where b.app_id = this_app
          and b.started_at >= from_hour
          and b.started_at < to_hour
    )
    select
        1, 'rollups', 'lag', date_part('epoch', now() - as_of), 'seconds', w.batches, as_of,
        case when as_of < now() - interval '1 minute' then 'behind' end,
        'how far reports are behind; ' || w.events || ' events wait'
    from waiting as w
    where this_app is not null
    union all
    select
        2, 'spool', 'waiting', sum(s.events)::double precision, 'events', count(*), min(s.oldest_at),
        case when bool_or(s.away) then 'away' when sum(s.events) > 0 then 'spooled' end,
        case
            when count(*) = 0 then 'no collector has reported a spool'
            else 'events of all apps answered 202 and not stored yet; collectors that reported: ' || count(*)
                || ', the first of them at ' || afterpush.rfc3339(min(s.reported_at))
        end
    from spooled as s
    union all
    select
        3, 'intake', c.item, c.value::double precision, 'events', i.received, null,
        case
            when c.item = 'conflicts' and c.value > 0 then 'conflicts'
            when c.item = 'rejected' and c.value > 0.01 * i.received then 'rejected'
        end,
        c.detail
    from intake as i
    cross join lateral (
        values
            ('stored', i.stored, 'new events'),
            ('duplicates', i.duplicates, 'events that were stored before; they add nothing'),
            ('conflicts', i.conflicts, 'duplicates with different content; the event stored first stays'),
            ('rejected', i.rejected, 'see the report rejected')
    ) as c (item, value, detail);
end
$$;
comment on function afterpush.report_intake_checks is
    'Rows of report health about the rollups, the spools and what was received.';
