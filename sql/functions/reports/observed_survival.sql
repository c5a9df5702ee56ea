-- The time bucket of an observation that is not over yet, from the beginning of the slot in which it began: not shorter
-- than it was, so that no response came later.
create or replace function afterpush.open_bucket(slot integer, slot_seconds integer, now_at timestamptz) returns integer
language sql stable parallel safe
return case
    when date_part('epoch', now_at) <= slot::double precision * slot_seconds then 0
    else 1 + floor(
        ln((date_part('epoch', now_at) - slot::double precision * slot_seconds) * 1e6) / ln(1.08::double precision)
    )::integer
end;
comment on function afterpush.open_bucket is
    'The time bucket of an observation that began in a slot of time and lasts until now.';

-- The Kaplan-Meier estimate of the share of deliveries that are still unanswered after a time, from running totals: a row
-- for each time bucket with a response. at_risk counts the deliveries that were observed until this bucket or longer.
--
-- several: the running totals, to be taken together.
-- now_at:  until when observations last that are not over yet.
create or replace function afterpush.observed_survival(several afterpush.observed_totals[], now_at timestamptz)
returns table (bucket integer, at_risk bigint, responded bigint, survival double precision)
language sql stable
as $$
    with counted as (
        -- A negative time counts as 0.
        select
            greatest(0, s.times[1] + i - 2) as bucket,
            s.times[i] - case when i > 2 then s.times[i - 1] else 0 end as responded,
            0 as censored
        from unnest(several) as s
        cross join generate_series(2, cardinality(s.times)) as i
        union all
        select
            s.ended[1] + i - 2,
            0,
            s.ended[i] - case when i > 2 then s.ended[i - 1] else 0 end
        from unnest(several) as s
        cross join generate_series(2, cardinality(s.ended)) as i
        union all
        select
            afterpush.open_bucket(s.open[1] + i - 2, s.slot_seconds, now_at),
            0,
            s.open[i] - case when i > 2 then s.open[i - 1] else 0 end
        from unnest(several) as s
        cross join generate_series(2, cardinality(s.open)) as i
    ),
    summed as (
        select bucket, sum(responded) as responded, sum(censored) as censored
        from counted
        group by bucket
    ),
    ranked as (
        select bucket, responded, sum(responded + censored) over (order by bucket desc) as at_risk
        from summed
    )
    select
        bucket,
        at_risk::bigint,
        responded,
        -- A product, by logarithms; 0 once no delivery is left.
        exp(
            sum(
                case
                    when responded < at_risk
                    then ln((at_risk - responded)::double precision / at_risk::double precision)
                    else '-infinity'
                end
            ) over (order by bucket)
        )
    from ranked
    where responded > 0
$$;
comment on function afterpush.observed_survival is
    'The Kaplan-Meier estimate of the share of deliveries without a response, from running totals.';
