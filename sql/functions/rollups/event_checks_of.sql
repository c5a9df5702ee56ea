-- How merged events of some deliveries, or identities of a device alone, change rollup_event_checks, each with a sign:
-- the rows to add. Those of sealed hours are left out.
--
-- sealed: the start of the hours that are not sealed; -infinity if none is.
-- event_ids, device_times: with delivery_ids, the keys of the events; null for all events of the deliveries.
create or replace function afterpush.event_checks_of(
    delivery_ids uuid[], sealed timestamptz, sign integer, event_ids uuid[] default null,
    device_times timestamptz[] default null
)
returns afterpush.rollup_event_checks[]
language sql stable
as $$
    select array_agg(row(c.*)::afterpush.rollup_event_checks)
    from (
        select e.app_id, e.event_hour, m.measure, m.value, (sign * count(*))::integer as events
        from (
            select * from afterpush.checked_events where event_ids is null and delivery_id = any (delivery_ids)
            union all
            select c.*
            from unnest(delivery_ids, event_ids, device_times) as p (delivery_id, event_id, device_time)
            join afterpush.checked_events as c
                on (c.delivery_id, c.event_id, c.device_time) = (p.delivery_id, p.event_id, p.device_time)
        ) as e
        cross join lateral (
            values
                ('traits'::afterpush.event_measure, e.traits),
                ('skew'::afterpush.event_measure, e.skew),
                ('delay'::afterpush.event_measure, e.delay)
        ) as m (measure, value)
        where e.is_merged
          and e.event_hour >= sealed
          and m.value is not null
        group by 1, 2, 3, 4
    ) as c
$$;
comment on function afterpush.event_checks_of is
    'How some merged events of deliveries change rollup_event_checks, with a sign.';
