-- Problems with a delivery's dimensions (platform, app_version, campaign, category). Its events are compared with the
-- values that hold for it, each event with its source rank: sends, confirmations and other events have 1, 2 and 3 if
-- they are verified, else 4, 5 and 6 (functions/deliveries/attribution.sql).
--
--   conflict        an event of the deciding source rank states another value
--   from responses  only events other than sends and confirmations state a value, and the delivery did not fail
--
-- A set of problems has a bit for each dimension and problem; the functions for bits name them.

create or replace function afterpush.report_conflict_bit(dimension text) returns integer
language sql immutable parallel safe
return case dimension
    when 'platform' then 1
    when 'app_version' then 2
    when 'campaign' then 4
    when 'category' then 8
end;
comment on function afterpush.report_conflict_bit is 'The bit for a conflict about a dimension.';

create or replace function afterpush.report_from_responses_bit(dimension text) returns integer
language sql immutable parallel safe
return 16 * afterpush.report_conflict_bit(dimension);
comment on function afterpush.report_from_responses_bit is 'The bit for a dimension that only responses state.';

-- The problems that one event shows with one dimension of its delivery.
--
-- stated: whether the event states the dimension.
-- differs: whether its value differs from the delivery's.
-- source_rank, deciding_rank: the event's source rank, and the one that decided the delivery's value; 7 for none.
-- fallback: what an unverified send or confirmation states, if a verified response decided; null for nothing.
-- failed: whether the delivery is in state failed, so that no response can be missing a send.
create or replace function afterpush.report_event_problems(
    dimension text, stated boolean, differs boolean, source_rank integer, deciding_rank smallint, fallback text,
    failed boolean
) returns integer
language sql immutable parallel safe
return case
    when not stated then 0
    else (deciding_rank = source_rank and differs)::integer * afterpush.report_conflict_bit(dimension)
        + (source_rank in (3, 6) and deciding_rank in (3, 6, 7) and fallback is null and not failed)::integer
            * afterpush.report_from_responses_bit(dimension)
end;
comment on function afterpush.report_event_problems is
    'The problems that an event shows with a dimension of its delivery, as bits.';

-- How many of the selected deliveries have a problem with each dimension.
--
-- With more than 25,000 deliveries, some 6,000 at most are read, those of some devices: each takes a search for its events
-- in every month.
-- deliveries: how many were read. one_in: of how many devices one was read; 1 if all were.
create or replace function afterpush.report_attribution_problems(
    app text, from_hour timestamptz, to_hour timestamptz
)
returns table (dimension text, deliveries bigint, conflicts bigint, from_responses bigint, one_in integer)
language plpgsql stable parallel restricted
-- Planned for its arguments, above all for its times.
set plan_cache_mode = force_custom_plan
as $$
declare
    one_in constant integer := (
        select case when n.one_in > 1 then afterpush.report_one_in(app, from_hour, to_hour, false, 6000) else 1 end
        from afterpush.report_one_in(app, from_hour, to_hour, false, 25000) as n (one_in)
    );
begin
    return query execute format(
        $text$
        with selected as materialized (
            select
                d.delivery_id, d.platform_source_rank, d.app_version_source_rank, d.campaign_source_rank,
                d.category_source_rank, d.platform, d.app_version, d.campaign_id, d.variant, d.category_id,
                d.category_version, d.fallbacks, afterpush.has_failed(d.kinds) as has_failed
            from afterpush.report_selected_deliveries($1, $2, $3) as d
            %1$s
        ),
        problems as (
            select bit_or(problems) as problems
            from (
                select
                    delivery_id,
                    afterpush.report_event_problems(
                        'platform', e.platform is not null, e.platform <> d.platform, e.source_rank,
                        d.platform_source_rank, d.fallbacks[1], d.has_failed
                    )
                    + afterpush.report_event_problems(
                        'app_version', e.app_version is not null, e.app_version <> d.app_version,
                        e.source_rank, d.app_version_source_rank, d.fallbacks[2], d.has_failed
                    )
                    + afterpush.report_event_problems(
                        'campaign', e.campaign_id is not null,
                        e.campaign_id <> d.campaign_id or e.variant is distinct from d.variant,
                        e.source_rank, d.campaign_source_rank, d.fallbacks[3], d.has_failed
                    )
                    + afterpush.report_event_problems(
                        'category', e.category_id is not null,
                        e.category_id <> d.category_id or e.category_version is distinct from d.category_version,
                        e.source_rank, d.category_source_rank, d.fallbacks[4], d.has_failed
                    ) as problems
                from selected as d
                join (
                    select
                        *,
                        case kind when 'sent' then 1 when 'delivered' then 2 else 3 end
                            + case when verified then 0 else 3 end as source_rank
                    from afterpush.events
                    where app_id = $5
                      and notification_id is not null
                ) as e using (delivery_id)
                -- Keeps the planner from computing the problems once for each use.
                offset 0
            ) as of_event
            group by delivery_id
        )
        select
            n.dimension,
            (select count(*) from selected),
            (select count(*) from problems where problems & n.conflict <> 0),
            (select count(*) from problems where problems & n.from_responses <> 0),
            $4
        from (
            select
                dimension,
                afterpush.report_conflict_bit(dimension) as conflict,
                afterpush.report_from_responses_bit(dimension) as from_responses
            from unnest(array['platform', 'app_version', 'campaign', 'category']) as dimension
        ) as n
        $text$,
        -- As a condition of the statement, so that the planner finds the index.
        case when one_in > 1 then format('where d.device_number < %s', afterpush.device_number_end(one_in)) end
    )
    using app, from_hour, to_hour, one_in, (select a.app_id from afterpush.apps as a where a.name = app);
end
$$;
comment on function afterpush.report_attribution_problems is
    'How many deliveries have dimensions in conflict, or known from responses only.';
