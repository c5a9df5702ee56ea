-- What report fatigue counts: responses and dismissals of deliveries by how many other notifications their device had in
-- the seven days before, from anchor to anchor, and the same devices compared with themselves.
--
-- Every notification of a device counts as one before that did not fail, whether or not it is selected. Deliveries within
-- the first seven days after the device's first delivery are left out, because nothing is known of the days before it.
-- That needs the devices that had a delivery before the time that is read otherwise.
--
-- half: 0 or 1, half of the devices. Nothing is kept from one call to the next, so a report may ask for both halves, each
-- by a process of its own: the cost tells the planner that this is worth it.
-- one_in: of how many devices one is read; 1 for all.
--
-- One row per group and outcome (response or dismissal). n: the denominator of its rate; k: its numerator; all_k: all with
-- the outcome. compared_... and fewer_...: of the devices that have a denominator both in the group and with fewer
-- notifications, in the groups before it, those of the group and those with fewer. difference_sum and weight_sum are the
-- sums over these devices of the weighted difference and of the weight; the others are sums of their products
-- (within_device.sql).
create or replace function afterpush.report_fatigue(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean, bases afterpush.campaign_base[], half integer,
    one_in integer
)
returns table (
    recent_from integer, outcome text, has_sent boolean, has_confirmed boolean, n bigint, k bigint, all_k bigint,
    compared_devices bigint, compared_n bigint, fewer_n bigint,
    difference_sum double precision, weight_sum double precision, difference_squares double precision,
    products double precision, weight_squares double precision
)
language plpgsql stable parallel safe
cost 100000000
-- Planned for its arguments, above all for its times.
set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_fatigue.app);
    -- Category versions with customDismissAction. They are looked up once, and not for each delivery: by category and
    -- version, categories that always have it, and those that have it for a while, with these times.
    observable_versions constant text[] := array(
        select v.category_id || ' ' || v.version
        from afterpush.category_versions as v
        where v.app_id = this_app
          and v.dismiss_observable
    );
    always_observable constant text[] := array(
        select v.category_id
        from afterpush.category_versions as v
        where v.app_id = this_app
        group by v.category_id
        having bool_and(v.dismiss_observable)
    );
    number_end constant integer := afterpush.device_number_end(one_in);
    base_of_most constant text := coalesce((bases[1]).base, 'none');
    sometimes_observable text[];
    observable_times tstzmultirange[];
begin
    select array_agg(c.category_id), array_agg(c.times)
    into sometimes_observable, observable_times
    from (
        select
            v.category_id,
            range_agg(tstzrange(v.in_force_from, v.in_force_to))
                filter (where v.dismiss_observable and v.in_force_from < v.in_force_to) as times
        from afterpush.category_versions as v
        where v.app_id = this_app
        group by v.category_id
        having bool_or(v.dismiss_observable) and not bool_and(v.dismiss_observable)
    ) as c;
    return query
    with by_device as (
        select
            h.device_hash, h.device_hash_2,
            case
                when h.recent <= 2 then h.recent::integer
                when h.recent <= 4 then 3
                when h.recent <= 9 then 5
                when h.recent <= 19 then 10
                else 20
            end as recent_from,
            bool_or(h.base = 'sent') as has_sent,
            bool_or(h.base = 'confirmed') as has_confirmed,
            count(*) filter (where h.in_base) as base_n,
            count(*) filter (where h.responded) as responded,
            count(*) filter (where h.in_base and h.responded) as responded_base,
            count(*) filter (where h.in_base and h.dismiss_observable and not h.replaced) as dismiss_n,
            count(*) filter (where h.dismissed) as dismissed,
            count(*) filter (where h.in_base and h.dismiss_observable and h.dismissed) as dismissed_base
        from (
            select
                device_hash, device_hash_2, is_selected, anchor_at, dismiss_observable, base,
                case base
                    when 'sent' then afterpush.is_sent(kinds)
                    when 'confirmed' then afterpush.is_confirmed(kinds)
                    else false
                end as in_base,
                afterpush.has_responded(kinds) as responded,
                afterpush.is_dismissed(kinds) as dismissed,
                afterpush.is_replaced(kinds) as replaced,
                min(anchor_at) over (
                    partition by device_hash, device_hash_2
                    order by anchor_at
                    range between unbounded preceding and current row
                ) as first_at,
                count(*) filter (where not has_failed) over (
                    partition by device_hash, device_hash_2
                    order by anchor_at
                    range between interval '168 hours' preceding and interval '1 microsecond' preceding
                ) as recent
            from (
                select
                    -- 128 bits stand for a device: they are sorted faster than its name, which may be long.
                    hashtextextended(d.device_id, 0) as device_hash,
                    hashtextextended(d.device_id, 1) as device_hash_2,
                    d.anchor_at,
                    afterpush.base_and_response_kinds(d.kinds) as kinds,
                    afterpush.has_failed(d.kinds) as has_failed,
                    coalesce(b.base, base_of_most) as base,
                    coalesce(
                        d.anchor_at >= coalesce(report_fatigue."from", '-infinity')
                        and (only_campaign is null or d.campaign_id = only_campaign)
                        and (only_category is null or d.category_id = only_category)
                        and (only_variant is null or d.variant = only_variant)
                        and (only_platform is null or d.platform = only_platform),
                        false
                    ) as is_selected,
                    case
                        when d.platform in ('android', 'web') then true
                        when d.platform is distinct from 'ios' or d.category_id is null then false
                        when d.category_version > 0
                        then d.category_id || ' ' || d.category_version = any (observable_versions)
                        when d.category_id = any (always_observable) then true
                        else coalesce(
                            d.anchor_at <@ observable_times[array_position(sometimes_observable, d.category_id)], false
                        )
                    end as dismiss_observable
                from (
                    select
                        app_id, device_id, device_number,
                        afterpush.stated(campaign_id, campaign_source_rank, report_fatigue.verified) as campaign_id,
                        afterpush.stated(category_id, category_source_rank, report_fatigue.verified) as category_id,
                        category_version,
                        afterpush.is_held_out(kinds) as is_held_out,
                        afterpush.stated(variant, campaign_source_rank, report_fatigue.verified) as variant,
                        afterpush.stated(platform, platform_source_rank, report_fatigue.verified) as platform,
                        case when report_fatigue.verified then verified_kinds else kinds end as kinds,
                        afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at) as anchor_at
                    from afterpush.deliveries
                ) as d
                left join unnest(bases) as b on b.campaign_id = coalesce(d.campaign_id, '')
                where d.app_id = this_app
                  and d.device_id is not null
                  and d.device_number < number_end
                  and d.device_number & 1 = half
                  and d.kinds <> 0
                  and not d.is_held_out
                  and (
                      report_fatigue."from" is null
                      or d.anchor_at >= report_fatigue."from" - interval '168 hours'
                  )
                  and (report_fatigue."to" is null or d.anchor_at < report_fatigue."to")
                -- Sorts these, and not what they are made of.
                offset 0
            ) as d
        ) as h
        left join (
            select
                hashtextextended(e.device_id, 0) as device_hash,
                hashtextextended(e.device_id, 1) as device_hash_2
            from afterpush.deliveries as e
            where e.app_id = this_app
              and e.device_id is not null
              and e.device_number < number_end
              and e.device_number & 1 = half
              and case when report_fatigue.verified then e.verified_kinds else e.kinds end <> 0
              and not afterpush.is_held_out(e.kinds)
              and report_fatigue."from" is not null
              and afterpush.anchor_at(e.verified_sent_at, e.receipt_issued_at, e.first_event_at)
                  < report_fatigue."from" - interval '168 hours'
            group by 1, 2
        ) as earlier using (device_hash, device_hash_2)
        where h.is_selected
          and (h.first_at <= h.anchor_at - interval '168 hours' or earlier.device_hash is not null)
        group by 1, 2, 3
    ),
    outcomes as (
        select d.device_hash, d.device_hash_2, d.recent_from, d.has_sent, d.has_confirmed, o.outcome, o.n, o.k, o.all_k
        from by_device as d
        cross join lateral (
            values
                ('response', d.base_n, d.responded_base, d.responded),
                ('dismissal', d.dismiss_n, d.dismissed_base, d.dismissed)
        ) as o (outcome, n, k, all_k)
    ),
    with_fewer as (
        select
            o.*,
            sum(o.n) over fewer::double precision as fewer_n,
            sum(o.k) over fewer::double precision as fewer_k
        from outcomes as o
        window fewer as (
            partition by device_hash, device_hash_2, outcome
            order by recent_from
            rows between unbounded preceding and 1 preceding
        )
    ),
    weighted as (
        select
            f.*,
            case when f.n > 0 and f.fewer_n > 0 then f.n * f.fewer_n / (f.n + f.fewer_n) end as weight,
            case
                when f.n > 0 and f.fewer_n > 0 then (f.k * f.fewer_n - f.fewer_k * f.n) / (f.n + f.fewer_n)
            end as difference
        from with_fewer as f
    )
    select
        w.recent_from, w.outcome, bool_or(w.has_sent), bool_or(w.has_confirmed),
        sum(w.n)::bigint, sum(w.k)::bigint, sum(w.all_k)::bigint,
        count(w.weight),
        coalesce(sum(w.n) filter (where w.weight is not null), 0)::bigint,
        coalesce(sum(w.fewer_n) filter (where w.weight is not null), 0)::bigint,
        coalesce(sum(w.difference), 0),
        coalesce(sum(w.weight), 0),
        coalesce(sum(w.difference * w.difference), 0),
        coalesce(sum(w.difference * w.weight), 0),
        coalesce(sum(w.weight * w.weight), 0)
    from weighted as w
    group by 1, 2;
end
$$;
comment on function afterpush.report_fatigue is
    'Responses and dismissals by how many notifications the device had before, and each device against itself.';
