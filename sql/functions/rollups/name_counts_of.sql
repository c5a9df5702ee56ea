-- How merged events of some deliveries, or identities of a device alone, change rollup_names, each with a sign: the
-- rows to add. Those of sealed hours are left out.
--
-- sealed: the start of the hours that are not sealed; -infinity if none is.
-- event_ids, device_times: with delivery_ids, the keys of the events; null for all events of the deliveries.
create or replace function afterpush.name_counts_of(
    delivery_ids uuid[], sealed timestamptz, sign integer, event_ids uuid[] default null,
    device_times timestamptz[] default null
)
returns afterpush.rollup_names[]
language sql stable
as $$
    select array_agg(row(c.*)::afterpush.rollup_names)
    from (
        select
            app_id, event_hour, campaign_id, variant, category_id, category_version, action_id,
            (sign * count(*))::integer as events
        from (
            select * from afterpush.checked_events where event_ids is null and delivery_id = any (delivery_ids)
            union all
            select c.*
            from unnest(delivery_ids, event_ids, device_times) as p (delivery_id, event_id, device_time)
            join afterpush.checked_events as c
                on (c.delivery_id, c.event_id, c.device_time) = (p.delivery_id, p.event_id, p.device_time)
        ) as e
        where is_merged
          and event_hour >= sealed
        group by 1, 2, 3, 4, 5, 6, 7
    ) as c
$$;
comment on function afterpush.name_counts_of is
    'How some merged events of deliveries change rollup_names, with a sign.';
