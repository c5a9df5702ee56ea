-- What the devices of a campaign's deliveries did afterwards, those that it was sent to and those that were held out: one
-- row per campaign, outcome and currency of its values.
--
-- Treated are deliveries in state sent or failed: assigned, whatever became of them. Held out are those in state
-- held_out, whatever else is known of them. A delivery has an outcome if its device has one of that name from its anchor
-- on, for the time `window`. Outcomes are converted events that name no notification, and app_opened events, whose name
-- is app_opened. With `verified`, only verified events show states and outcomes.
--
-- "from", "to": whole hours of anchors, the end excluded; null for no limit.
-- only_campaign: null for all campaigns that have a holdout: they declare one, or a delivery was held out.
-- only_outcome: null for the hundred outcomes of each campaign that most of its deliveries have. A campaign whose
-- deliveries have none has one row, whose outcome is null; an outcome without a name is null, too.
--
-- only_currency: null for the hundred currencies that most deliveries of the campaign have with the outcome. currency is
-- the one that ..._value is in: the sum of the values of these outcomes, those of a delivery added up. ..._squares: the
-- sum of the squares over deliveries; ..._value_effect: the design effect of the mean value. An outcome that states no
-- value has one row, in which all of these are null. Values without a currency are left out.
--
-- outcome_events, verified_events: the events that these outcomes are, an event of two deliveries counted twice, and those
-- of them that are verified.
--
-- ..._closed: deliveries whose whole window has passed. ..._effect: the design effect of the arm's rate, over device
-- buckets. share_variance: the variance of the share of the held out deliveries by device buckets. devices: those of both
-- arms. Deliveries of erased devices are left out, and so are those of sealed hours: their outcomes may be gone.
create or replace function afterpush.report_outcomes(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_outcome text, "window" interval,
    verified boolean, only_currency text
)
returns table (
    campaign_id text, outcome text,
    treated_n bigint, treated_outcomes bigint, treated_closed bigint, treated_effect double precision,
    holdout_n bigint, holdout_outcomes bigint, holdout_closed bigint, holdout_effect double precision,
    share_variance double precision, devices bigint,
    currency text, treated_value numeric, treated_squares numeric, treated_value_effect double precision,
    holdout_value numeric, holdout_squares numeric, holdout_value_effect double precision,
    outcome_events bigint, verified_events bigint
)
language plpgsql stable
-- Planned for its arguments, above all for its times.
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_outcomes.app);
    now_at constant timestamptz := afterpush.as_of(report_outcomes.app);
    starts constant timestamptz := greatest(
        coalesce(report_outcomes."from", '-infinity'), (select w.sealed_before from afterpush.rollup_worker as w)
    );
    ends constant timestamptz := coalesce(report_outcomes."to", 'infinity');
    campaigns text[];
begin
    campaigns := array(
        select c.campaign_id
        from afterpush.campaigns as c
        where c.app_id = this_app
          and c.holdout is not null
          and (only_campaign is null or c.campaign_id = only_campaign)
        union
        select d.campaign_id
        from afterpush.events as e
        join afterpush.deliveries as d using (delivery_id)
        where e.app_id = this_app
          and e.kind = 'held_out'
          and afterpush.is_held_out(d.kinds)
          and afterpush.stated(d.campaign_id, d.campaign_source_rank, report_outcomes.verified) is not null
          and (only_campaign is null or d.campaign_id = only_campaign)
    );
    return query
    with selected as materialized (
        select d.*, afterpush.device_bucket(d.delivery_id) as bucket
        from afterpush.holdout_deliveries(this_app, campaigns, starts, ends, report_outcomes.verified) as d
    ),
    outcomes as (
        select
            e.device_id, e.occurred_at, e.name, e.value, e.verified,
            case when e.value is not null and (only_currency is null or e.currency = only_currency) then e.currency end
                as currency
        from (select min(s.at) as first_at, max(s.at) as last_at from selected as s) as a
        cross join lateral afterpush.outcome_events(
            this_app, a.first_at, a.last_at + report_outcomes."window", only_outcome, report_outcomes.verified
        ) as e
    ),
    delivery_values as materialized (
        select
            s.delivery_id, s.campaign_id, s.is_held_out, s.bucket, o.name, o.currency, sum(o.value) as value,
            count(*) as events, count(*) filter (where o.verified) as verified
        from selected as s
        join outcomes as o
            on o.device_id = s.device_id
            and o.occurred_at between s.at and s.at + report_outcomes."window"
        group by 1, 2, 3, 4, 5, 6
    ),
    with_outcome as materialized (
        select distinct v.delivery_id, v.campaign_id, v.is_held_out, v.bucket, v.name
        from delivery_values as v
    ),
    evidence as materialized (
        select v.campaign_id, v.name, sum(v.events)::bigint as events, sum(v.verified)::bigint as verified
        from delivery_values as v
        group by 1, 2
    ),
    currencies as materialized (
        select c.campaign_id, c.name, c.currency
        from (
            select
                v.campaign_id, v.name, v.currency,
                row_number() over (
                    partition by v.campaign_id, v.name order by count(*) desc, v.currency collate "C"
                ) as place
            from delivery_values as v
            where v.currency is not null
            group by 1, 2, 3
        ) as c
        where c.place <= 100
    ),
    names as (
        select n.campaign_id, n.name
        from (
            select
                w.campaign_id, w.name,
                row_number() over (
                    partition by w.campaign_id order by count(*) desc, nullif(w.name, '') nulls last
                ) as place
            from with_outcome as w
            group by w.campaign_id, w.name
        ) as n
        where n.place <= 100
        union
        select s.campaign_id, coalesce(only_outcome, '')
        from selected as s
        where only_outcome is not null
           or s.campaign_id not in (select w.campaign_id from with_outcome as w)
    ),
    buckets as materialized (
        select
            s.campaign_id, s.is_held_out, s.bucket, count(*) as n,
            count(*) filter (where s.at + report_outcomes."window" <= now_at) as closed
        from selected as s
        group by 1, 2, 3
    ),
    bucket_outcomes as (
        select w.campaign_id, w.is_held_out, w.bucket, w.name, count(*) as outcomes
        from with_outcome as w
        group by 1, 2, 3, 4
    ),
    bucket_values as (
        select
            v.campaign_id, v.is_held_out, v.bucket, v.name, v.currency,
            sum(v.value) as value, sum(v.value * v.value) as squares
        from delivery_values as v
        join currencies as c using (campaign_id, name, currency)
        group by 1, 2, 3, 4, 5
    ),
    arms as materialized (
        select
            n.campaign_id, n.name, c.currency, b.is_held_out,
            coalesce(sum(v.value), 0) as value,
            coalesce(sum(v.squares), 0) as squares,
            afterpush.value_design_effect(
                sum((b.n || 'e' || b.bucket * 8)::numeric),
                array_agg(b.bucket::smallint order by b.bucket) filter (where v.value is not null),
                array_agg(v.value order by b.bucket) filter (where v.value is not null),
                coalesce(sum(v.squares), 0)
            ) as value_effect,
            sum(b.n)::bigint as n,
            sum(b.closed)::bigint as closed,
            coalesce(sum(o.outcomes), 0)::bigint as outcomes,
            afterpush.design_effect(
                afterpush.ratio_variance(
                    array_agg(b.n order by b.bucket), array_agg(coalesce(o.outcomes, 0) order by b.bucket)
                ),
                coalesce(sum(o.outcomes), 0)::bigint,
                sum(b.n)::bigint
            ) as effect
        from names as n
        join buckets as b using (campaign_id)
        left join currencies as c using (campaign_id, name)
        left join bucket_outcomes as o using (campaign_id, is_held_out, bucket, name)
        left join bucket_values as v using (campaign_id, is_held_out, bucket, name, currency)
        group by 1, 2, 3, 4
    ),
    shares as (
        select
            b.campaign_id,
            afterpush.ratio_variance(array_agg(b.n order by b.bucket), array_agg(b.held_out order by b.bucket)) as variance
        from (
            select
                campaign_id, bucket, sum(n)::bigint as n,
                coalesce(sum(n) filter (where is_held_out), 0)::bigint as held_out
            from buckets
            group by 1, 2
        ) as b
        group by 1
    ),
    counted_devices as (
        select s.campaign_id, count(distinct s.device_id) as devices
        from selected as s
        group by 1
    )
    select
        a.campaign_id,
        nullif(a.name, ''),
        coalesce(max(a.n) filter (where not a.is_held_out), 0),
        coalesce(max(a.outcomes) filter (where not a.is_held_out), 0),
        coalesce(max(a.closed) filter (where not a.is_held_out), 0),
        max(a.effect) filter (where not a.is_held_out),
        coalesce(max(a.n) filter (where a.is_held_out), 0),
        coalesce(max(a.outcomes) filter (where a.is_held_out), 0),
        coalesce(max(a.closed) filter (where a.is_held_out), 0),
        max(a.effect) filter (where a.is_held_out),
        max(s.variance),
        max(d.devices),
        a.currency,
        case when a.currency is not null then coalesce(max(a.value) filter (where not a.is_held_out), 0) end,
        case when a.currency is not null then coalesce(max(a.squares) filter (where not a.is_held_out), 0) end,
        case when a.currency is not null then max(a.value_effect) filter (where not a.is_held_out) end,
        case when a.currency is not null then coalesce(max(a.value) filter (where a.is_held_out), 0) end,
        case when a.currency is not null then coalesce(max(a.squares) filter (where a.is_held_out), 0) end,
        case when a.currency is not null then max(a.value_effect) filter (where a.is_held_out) end,
        coalesce(max(e.events), 0),
        coalesce(max(e.verified), 0)
    from arms as a
    left join evidence as e using (campaign_id, name)
    join shares as s using (campaign_id)
    join counted_devices as d using (campaign_id)
    group by a.campaign_id, a.name, a.currency;
end
$$;
comment on function afterpush.report_outcomes is
    'What the devices of campaigns did afterwards: those that they were sent to, and those that were held out.';
