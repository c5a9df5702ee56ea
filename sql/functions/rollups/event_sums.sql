-- What the events of some batches add to the rollups that count single events: rollup_event_checks and rollup_names,
-- and to rollup_events those about a device alone. They have no delivery, so the platform that they state is their only
-- dimension there. One statement, because reading the events is a third of the work.
--
-- sealed: the start of the hours that are not sealed; -infinity if none is. Events of earlier hours are left out.
create or replace function afterpush.event_sums(batches bigint[], sealed timestamptz) returns afterpush.event_sums
language plpgsql stable
as $$
declare
    result afterpush.event_sums;
begin
    with grouped as materialized (
        select
            app_id, event_hour, kind, verified, is_of_delivery, names_past_limit, skew, platform, delay, campaign_id,
            variant, category_id, category_version, action_id,
            count(*) as events,
            grouping(kind) = 0 as has_kind,
            grouping(delay) = 0 as has_delay
        from (
            select
                e.app_id, afterpush.hour_of(e.occurred_at) as event_hour, e.kind, e.verified,
                e.notification_id is not null as is_of_delivery, e.names_past_limit,
                e.skew_milliseconds / 1000 as skew,
                case when e.notification_id is null then e.platform end as platform,
                afterpush.counted_seconds(d.delay) as delay,
                e.campaign_id, e.variant, e.category_id, e.category_version,
                case when e.kind in ('action', 'text_input') then nullif(e.action_identifier, '(other)') end
                    as action_id
            from afterpush.events as e
            join afterpush.batches as b using (batch_id)
            -- `offset 0` keeps the planner from computing the delay once for each use.
            cross join lateral (
                select floor(date_part('epoch', b.started_at - e.occurred_at))::bigint as delay offset 0
            ) as d
            where e.batch_id = any (batches)
        ) as e
        where event_hour >= sealed
        group by grouping sets (
            (app_id, event_hour, kind, verified, is_of_delivery, names_past_limit, skew, platform),
            (app_id, event_hour, delay),
            (app_id, event_hour, campaign_id, variant, category_id, category_version, action_id)
        )
    ),
    checks as (
        select
            app_id, event_hour, 'traits'::afterpush.event_measure,
            afterpush.event_traits(is_of_delivery, kind, verified, names_past_limit), sum(events)::integer
        from grouped
        where has_kind
        group by 1, 2, 4
        union all
        select app_id, event_hour, 'skew', afterpush.counted_seconds(skew), sum(events)::integer
        from grouped
        where has_kind
          and skew is not null
        group by 1, 2, 4
        union all
        select app_id, event_hour, 'delay', delay, events::integer
        from grouped
        where has_delay
    )
    select
        array(select row(c.*)::afterpush.rollup_event_checks from checks as c),
        array(
            select row(
                app_id, event_hour, coalesce(campaign_id, ''), coalesce(variant, ''), coalesce(category_id, ''),
                coalesce(category_version, 0), coalesce(action_id, ''), events
            )::afterpush.rollup_names
            from grouped
            where not has_kind
              and not has_delay
        ),
        array(
            select row(
                app_id, m.verified, event_hour, '', '', '', coalesce(platform, ''), kind, events
            )::afterpush.event_count
            from grouped as g
            join unnest(array[false, true]) as m (verified) on g.verified or not m.verified
            where has_kind
              and not is_of_delivery
        )
    into result;
    return result;
end
$$;
comment on function afterpush.event_sums is
    'What the events of some batches add to the rollups of single events, and how many are about a device alone.';
