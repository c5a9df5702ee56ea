-- What the events of the selected hours say about names past their limit, verification, clocks and delays, in one row.
--
-- first_batch: the first batch that can hold such an event (function report_bounds).
-- events: number of events; of_deliveries belong to a delivery, of_devices are about the device alone.
-- actions_past_limit and so on: events whose name of that kind was past its limit.
-- responses: opens, actions, replies and dismissals.
-- skew_stated: events whose request stated sent_at; corrected: those whose clock was off by a minute or more.
-- over_...: events stored so long after they occurred, or later.
-- skew_p01, delay_p50 and so on: quantiles in seconds, by nearest rank: the first value that is at least as great as
-- that share of all values.
create or replace function afterpush.report_event_statistics(
    app text, from_hour timestamptz, to_hour timestamptz, first_batch bigint
)
returns table (
    events bigint, actions_past_limit bigint, app_versions_past_limit bigint, campaigns_past_limit bigint,
    categories_past_limit bigint, category_versions_past_limit bigint, variants_past_limit bigint,
    of_deliveries bigint, verified bigint, responses bigint, verified_responses bigint,
    of_devices bigint, verified_of_devices bigint,
    skew_stated bigint, corrected bigint, skew_p01 bigint, skew_p50 bigint, skew_p99 bigint,
    over_1h bigint, over_24h bigint, over_72h bigint,
    delay_p50 double precision, delay_p90 double precision, delay_p99 double precision
)
language sql stable parallel safe
as $$
    -- Events, grouped for all numbers in one pass. Delays over an hour count in minutes, over a day in hours, so that
    -- the groups stay few. `offset 0` keeps the planner from computing the delay once for each use.
    with groups as materialized (
        select
            of_delivery, is_response, verified, names_past_limit, skew,
            case
                when delay between -3600 and 3599 then delay
                when delay < 86400 then floor(delay / 60) * 60
                else floor(delay / 3600) * 3600
            end as delay,
            count(*) as events
        from (
            select
                e.notification_id is not null as of_delivery,
                e.kind in ('opened', 'action', 'text_input', 'dismissed') as is_response,
                e.verified,
                e.names_past_limit,
                e.skew_milliseconds / 1000 as skew,
                floor(date_part('epoch', b.started_at - e.occurred_at)) as delay
            from afterpush.events as e
            join afterpush.batches as b using (batch_id)
            where e.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
              and e.batch_id >= first_batch
              and e.occurred_at >= from_hour
              and e.occurred_at < to_hour
            offset 0
        ) as e
        group by 1, 2, 3, 4, 5, 6
    ),
    counts as (
        select
            coalesce(sum(events), 0)::bigint as events,
            coalesce(sum(events) filter (where 'action' = any (names_past_limit)), 0)::bigint
                as actions_past_limit,
            coalesce(sum(events) filter (where 'app_version' = any (names_past_limit)), 0)::bigint
                as app_versions_past_limit,
            coalesce(sum(events) filter (where 'campaign' = any (names_past_limit)), 0)::bigint
                as campaigns_past_limit,
            coalesce(sum(events) filter (where 'category' = any (names_past_limit)), 0)::bigint
                as categories_past_limit,
            coalesce(sum(events) filter (where 'category_version' = any (names_past_limit)), 0)::bigint
                as category_versions_past_limit,
            coalesce(sum(events) filter (where 'variant' = any (names_past_limit)), 0)::bigint
                as variants_past_limit,
            coalesce(sum(events) filter (where of_delivery), 0)::bigint as of_deliveries,
            coalesce(sum(events) filter (where of_delivery and verified), 0)::bigint as verified,
            coalesce(sum(events) filter (where is_response), 0)::bigint as responses,
            coalesce(sum(events) filter (where is_response and verified), 0)::bigint as verified_responses,
            coalesce(sum(events) filter (where not of_delivery), 0)::bigint as of_devices,
            coalesce(sum(events) filter (where not of_delivery and verified), 0)::bigint as verified_of_devices,
            coalesce(sum(events) filter (where skew is not null), 0)::bigint as skew_stated,
            coalesce(sum(events) filter (where skew <> 0), 0)::bigint as corrected
        from groups
    ),
    skews as (
        select
            min(skew) filter (where reached >= 0.01 * n) as skew_p01,
            min(skew) filter (where reached >= 0.5 * n) as skew_p50,
            min(skew) filter (where reached >= 0.99 * n) as skew_p99
        from (
            select skew, sum(sum(events)) over (order by skew) as reached, sum(sum(events)) over () as n
            from groups
            where skew is not null
            group by skew
        ) as s
    ),
    delays as (
        select
            coalesce(sum(events) filter (where delay >= 3600), 0)::bigint as over_1h,
            coalesce(sum(events) filter (where delay >= 86400), 0)::bigint as over_24h,
            coalesce(sum(events) filter (where delay >= 259200), 0)::bigint as over_72h,
            min(delay) filter (where reached >= 0.5 * n) as delay_p50,
            min(delay) filter (where reached >= 0.9 * n) as delay_p90,
            min(delay) filter (where reached >= 0.99 * n) as delay_p99
        from (
            select
                delay, sum(events) as events,
                sum(sum(events)) over (order by delay) as reached, sum(sum(events)) over () as n
            from groups
            group by delay
        ) as d
    )
    select
        c.events, c.actions_past_limit, c.app_versions_past_limit, c.campaigns_past_limit, c.categories_past_limit,
        c.category_versions_past_limit, c.variants_past_limit, c.of_deliveries, c.verified, c.responses,
        c.verified_responses, c.of_devices, c.verified_of_devices,
        c.skew_stated, c.corrected, s.skew_p01, s.skew_p50, s.skew_p99,
        d.over_1h, d.over_24h, d.over_72h, d.delay_p50, d.delay_p90, d.delay_p99
    from counts as c
    cross join skews as s
    cross join delays as d
$$;
comment on function afterpush.report_event_statistics is
    'How many events had names past their limit or are verified, how far devices'' clocks are off, and how long events took to be stored.';
