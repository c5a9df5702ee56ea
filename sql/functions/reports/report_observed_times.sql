-- How long each delivery that a report selects was observed, in seconds, and whether a response ended that: what a
-- Kaplan-Meier estimate is made of.
--
-- on_clock: where times begin, 'confirmed' or 'sent' (report_response_clock); null if no delivery was either.
--
-- Without a response, a delivery was observed until it failed or was replaced, whichever came first, at most until as_of.
-- Deliveries that did not respond are left out if they don't have the clock; `seconds` is null for responses without it.
create or replace function afterpush.report_observed_times(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, on_clock text, only_app_version text default null
)
returns table (
    campaign_id text, category_id text, variant text, platform text, app_version text, hour timestamptz, clock text,
    has_responded boolean, seconds double precision
)
language plpgsql stable
-- Planned for its arguments, so that a condition that is not asked for costs nothing.
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
as $$
#variable_conflict use_column
declare
    now_at constant timestamptz := afterpush.as_of(report_observed_times.app);
begin
    return query
    select
        s.campaign_id, s.category_id, s.variant, s.platform, s.app_version, s.hour, on_clock,
        s.responded_at is not null,
        case when o.started_at is not null then greatest(date_part('epoch', o.ended_at - o.started_at), 0) end
    from afterpush.report_deliveries(
        report_observed_times.app, report_observed_times."from", report_observed_times."to", only_campaign,
        only_category, only_variant, only_platform, report_observed_times.verified, only_app_version
    ) as s
    cross join lateral (
        select
            case on_clock when 'confirmed' then s.confirmed_at when 'sent' then s.sent_at end as started_at,
            coalesce(
                s.responded_at,
                least(
                    now_at,
                    case when afterpush.has_failed(s.kinds) then s.failed_at end,
                    case when afterpush.is_replaced(s.kinds) then s.replaced_at end
                )
            ) as ended_at
    ) as o
    where s.responded_at is not null
       or o.started_at is not null;
end
$$;
comment on function afterpush.report_observed_times is
    'How long deliveries that a report selects were observed on one clock, and whether a response ended that.';
