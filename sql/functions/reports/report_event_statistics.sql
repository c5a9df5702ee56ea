-- What the events of the selected hours say about names past their limit, verification, clocks and delays, in one row.
--
-- events: number of events; of_deliveries belong to a delivery, of_devices are about the device alone.
-- actions_past_limit and so on: events whose name of that kind was past its limit.
-- responses: opens, actions, replies and dismissals.
-- skew_stated: events whose request stated sent_at; corrected: those whose clock was off by a minute or more.
-- over_...: events stored so long after they occurred, or later.
-- skew_p01, delay_p50 and so on: quantiles in seconds, by nearest rank: the first value that is at least as great as
-- that share of all values; in the steps of function counted_seconds.
create or replace function afterpush.report_event_statistics(
    app text, from_hour timestamptz, to_hour timestamptz
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
    with checks as materialized (
        select r.measure, r.value, sum(r.events)::bigint as events
        from afterpush.rollup_event_checks as r
        where r.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
          and r.event_hour >= from_hour
          and r.event_hour < to_hour
        group by r.measure, r.value
    ),
    counts as (
        select
            coalesce(sum(events), 0)::bigint as events,
            coalesce(sum(events) filter (where value & 8 <> 0), 0)::bigint as actions_past_limit,
            coalesce(sum(events) filter (where value & 16 <> 0), 0)::bigint as app_versions_past_limit,
            coalesce(sum(events) filter (where value & 32 <> 0), 0)::bigint as campaigns_past_limit,
            coalesce(sum(events) filter (where value & 64 <> 0), 0)::bigint as categories_past_limit,
            coalesce(sum(events) filter (where value & 128 <> 0), 0)::bigint as category_versions_past_limit,
            coalesce(sum(events) filter (where value & 256 <> 0), 0)::bigint as variants_past_limit,
            coalesce(sum(events) filter (where value & 1 <> 0), 0)::bigint as of_deliveries,
            coalesce(sum(events) filter (where value & (1 | 4) = 1 | 4), 0)::bigint as verified,
            coalesce(sum(events) filter (where value & 2 <> 0), 0)::bigint as responses,
            coalesce(sum(events) filter (where value & (2 | 4) = 2 | 4), 0)::bigint as verified_responses,
            coalesce(sum(events) filter (where value & 1 = 0), 0)::bigint as of_devices,
            coalesce(sum(events) filter (where value & (1 | 4) = 4), 0)::bigint as verified_of_devices
        from checks
        where measure = 'traits'
    ),
    skews as (
        select
            coalesce(sum(events), 0)::bigint as skew_stated,
            coalesce(sum(events) filter (where value <> 0), 0)::bigint as corrected,
            min(value) filter (where reached >= 0.01 * n) as skew_p01,
            min(value) filter (where reached >= 0.5 * n) as skew_p50,
            min(value) filter (where reached >= 0.99 * n) as skew_p99
        from (
            select value, events, sum(events) over (order by value) as reached, sum(events) over () as n
            from checks
            where measure = 'skew'
        ) as s
    ),
    delays as (
        select
            coalesce(sum(events) filter (where value >= 3600), 0)::bigint as over_1h,
            coalesce(sum(events) filter (where value >= 86400), 0)::bigint as over_24h,
            coalesce(sum(events) filter (where value >= 259200), 0)::bigint as over_72h,
            (min(value) filter (where reached >= 0.5 * n))::double precision as delay_p50,
            (min(value) filter (where reached >= 0.9 * n))::double precision as delay_p90,
            (min(value) filter (where reached >= 0.99 * n))::double precision as delay_p99
        from (
            select value, events, sum(events) over (order by value) as reached, sum(events) over () as n
            from checks
            where measure = 'delay'
        ) as d
    )
    select
        c.events, c.actions_past_limit, c.app_versions_past_limit, c.campaigns_past_limit, c.categories_past_limit,
        c.category_versions_past_limit, c.variants_past_limit, c.of_deliveries, c.verified, c.responses,
        c.verified_responses, c.of_devices, c.verified_of_devices,
        s.skew_stated, s.corrected, s.skew_p01, s.skew_p50, s.skew_p99,
        d.over_1h, d.over_24h, d.over_72h, d.delay_p50, d.delay_p90, d.delay_p99
    from counts as c
    cross join skews as s
    cross join delays as d
$$;
comment on function afterpush.report_event_statistics is
    'How many events had names past their limit or are verified, how far devices'' clocks are off, and how long events took to be stored.';
