-- The values of the deliveries that a report with `within` selects, one row for each campaign and variant: of the
-- deliveries of the base at that age that have a value by then. currency: the one to add up. The other parameters are
-- those of report_counts.
--
-- It reads the events of each delivery that converted.
create or replace function afterpush.report_values_within(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_platform text,
    verified boolean, bases afterpush.campaign_base[], currency text, within interval
)
returns table (campaign_id text, variant text, deliveries bigint, value numeric, squares numeric)
language plpgsql stable
-- Planned for its arguments, so that a condition that is not asked for costs nothing.
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
as $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_values_within.app);
    base_of_most constant text := coalesce((bases[1]).base, 'none');
    declared constant text[] :=
        array(select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app);
    -- Batches that are not in the rollups yet are in no report.
    waiting constant bigint[] := afterpush.report_waiting_batches();
    -- In seconds: a day of the session's time zone may have 23 hours.
    length constant interval := make_interval(secs => extract(epoch from within)::double precision);
begin
    return query
    select
        nullif(v.campaign_id, ''), nullif(v.variant, ''), count(*), sum(v.value), sum(v.value * v.value)
    from (
        select s.campaign_id, s.variant, s.delivery_id, sum(e.value) as value
        from afterpush.report_states_within(
            this_app, report_values_within."from", report_values_within."to", only_campaign, only_category, null,
            only_platform, report_values_within.verified, within, afterpush.as_of(report_values_within.app)
        ) as s
        left join unnest(bases) as b on b.campaign_id = s.campaign_id
        join afterpush.events as e on e.delivery_id = s.delivery_id
        where afterpush.has_converted_event(s.later_kinds)
          and case coalesce(b.base, base_of_most)
              when 'sent' then s.campaign_id = any (declared) or afterpush.is_sent(s.kinds)
              when 'confirmed' then afterpush.is_confirmed(s.kinds)
              else false
          end
          and e.app_id = this_app
          and e.kind = 'converted'
          and e.value is not null
          and e.currency = report_values_within.currency
          and e.occurred_at <= s.anchor_at + length
          and (e.verified or not report_values_within.verified)
          and e.batch_id <> all (waiting)
        group by 1, 2, 3
    ) as v
    group by 1, 2;
end
$$;
comment on function afterpush.report_values_within is
    'The values that deliveries of some age had at that age, by campaign and variant.';
