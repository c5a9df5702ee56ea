-- What was stored for an app since the previous call, for GET /v1/live.
-- $1: app_id.
-- $2: the batch up to which the caller has seen all batches; null on the first call, which counts nothing.
-- $3: later batches that it has seen as well.
-- $4: how many events are read to count kinds; with more events, the counts per kind are extrapolated.
-- $5: how many events are listed one by one.
-- Returns one row: a summary as a JSON object, without texts and devices; the batches that it counts; the last batch of
-- all apps.
with last as materialized (
    select coalesce(max(batch_id), 0) as batch_id
    from afterpush.batches
),
new_batches as materialized (
    select b.batch_id, b.events, b.duplicates, b.rejected
    from afterpush.batches as b
    where b.app_id = $1
      and b.batch_id > coalesce($2, (select batch_id from last))
      and b.batch_id <> all ($3::bigint[])
    order by b.batch_id desc
    limit 1000
),
totals as materialized (
    select
        coalesce(sum(events), 0) as accepted,
        coalesce(sum(duplicates), 0) as duplicates,
        coalesce(sum(rejected), 0) as rejected
    from new_batches
),
sampled as materialized (
    select
        e.batch_id, e.delivery_id, e.event_id, e.occurred_at, e.kind, e.category_id, e.campaign_id, e.action_identifier, e.platform
    from afterpush.events as e
    where e.batch_id = any (array(select batch_id from new_batches))
    limit $4
),
kinds as (
    select
        kind,
        case
            when (select count(*) from sampled) < totals.accepted
            then round(count(*) * totals.accepted / (select count(*) from sampled))
            else count(*)
        end as events
    from sampled
    cross join totals
    group by kind, totals.accepted
),
latest as (
    select *
    from sampled
    order by batch_id desc, occurred_at desc, delivery_id
    limit $5
),
listed as (
    select
        l.batch_id,
        l.occurred_at,
        l.delivery_id,
        json_build_object(
            'occurred_at', to_char(l.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'kind', l.kind,
            'delivery_id', l.delivery_id,
            'event_id', l.event_id,
            'category_id', coalesce(l.category_id, d.category_id),
            'campaign_id', coalesce(l.campaign_id, d.campaign_id),
            'action_id', l.action_identifier,
            'platform', coalesce(l.platform, d.platform)
        ) as event
    from latest as l
    -- Most responses state only the notification, so the other names come from the delivery. `lateral` with a
    -- limit makes the planner look deliveries up one by one, whatever it estimates.
    left join lateral (
        select category_id, campaign_id, platform
        from afterpush.deliveries
        where delivery_id = l.delivery_id
        limit 1
    ) as d on true
),
waiting as (
    select started_at
    from afterpush.batches
    where rolled_up_at is null
      and app_id = $1
    order by batch_id + 0
    limit 1
)
select
    json_build_object(
        'time', to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'accepted', totals.accepted,
        'duplicates', totals.duplicates,
        'rejected', totals.rejected,
        'kinds', (select coalesce(json_object_agg(kind, events order by kind), '{}') from kinds),
        'estimated', (select count(*) from sampled) < totals.accepted,
        'rollup_lag_seconds', coalesce(
            (select greatest(round(extract(epoch from clock_timestamp() - started_at), 3), 0) from waiting), 0
        ),
        'latest', (
            select coalesce(json_agg(event order by batch_id desc, occurred_at desc, delivery_id), '[]')
            from listed
        )
    )::text,
    (select coalesce(array_agg(batch_id), '{}') from new_batches),
    (select batch_id from last)
from totals
