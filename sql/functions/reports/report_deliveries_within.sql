-- The deliveries that a report with `within` selects, summed up like the view delivery_hours, whose columns these are, but
-- with version of the app: deliveries that were at least `within` old at `as_of`, in the states that their events of the
-- first `within` after the anchor show, `converted` events within the conversion window only. Later events count for the
-- dimensions only. The other parameters are those of
-- report_counts.
--
-- It reads the events of each delivery. Deliveries whose events are not all stored any more, because they were erased or
-- purged, are left out.
create or replace function afterpush.report_deliveries_within(
    of_app integer, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, only_verified boolean, within interval, as_of timestamptz
)
returns table (
    source text, app_id integer, verified boolean, hour timestamptz, campaign_id text, variant text, category_id text,
    category_version integer, platform text, app_version text, actions text[],
    deliveries integer, deliveries_sent integer, deliveries_confirmed integer, deliveries_both integer,
    failed integer, delivered integer, delivered_sent integer, displayed integer,
    opened integer, opened_sent integer, opened_confirmed integer,
    acted integer, acted_sent integer, acted_confirmed integer,
    replied integer, replied_sent integer, replied_confirmed integer,
    dismissed integer, dismissed_sent integer, dismissed_confirmed integer,
    read integer, read_sent integer, read_confirmed integer,
    responded integer, responded_sent integer, responded_confirmed integer,
    replaced integer, replaced_sent integer, replaced_confirmed integer,
    refused integer, refused_sent integer,
    converted_events integer, converted_events_sent integer, converted_events_confirmed integer,
    unconverted integer, unconverted_sent integer, unconverted_confirmed integer,
    declared_sends integer
)
language plpgsql stable
-- Planned for its arguments, so that a condition that is not asked for costs nothing.
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
as $$
#variable_conflict use_column
declare
    -- Batches that are not in the rollups yet are in no report.
    waiting constant bigint[] := array(select b.batch_id from afterpush.batches as b where b.rolled_up_at is null);
    -- In seconds: a day of the session's time zone may have 23 hours.
    length constant interval := make_interval(secs => extract(epoch from within)::double precision);
    starts timestamptz;
    ends timestamptz;
begin
    select s.starts, s.ends into starts, ends from afterpush.report_span(of_app, "from", "to", only_campaign) as s;
    -- An anchor is selected by its hour: the next full hours select the same.
    starts := afterpush.hour_of(starts + interval '3599.999999 s');
    ends := afterpush.hour_of(ends + interval '3599.999999 s');
    return query
    with selected as (
        select
            d.delivery_id,
            afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) as anchor_at,
            coalesce(afterpush.stated(d.campaign_id, d.campaign_source_rank, only_verified), '') as campaign_id,
            coalesce(afterpush.stated(d.variant, d.campaign_source_rank, only_verified), '') as variant,
            coalesce(afterpush.stated(d.category_id, d.category_source_rank, only_verified), '') as category_id,
            case
                when d.category_source_rank <= 3 or not only_verified then coalesce(d.category_version, 0)
                else 0
            end as category_version,
            coalesce(afterpush.stated(d.platform, d.platform_source_rank, only_verified), '') as platform,
            coalesce(afterpush.stated(d.app_version, d.app_version_source_rank, only_verified), '') as app_version,
            case when only_verified then d.verified_kinds else d.kinds end as kinds,
            coalesce(
                case when d.campaign_source_rank <= 3 or not only_verified then c.counted_window end, interval '72 hours'
            ) as conversion_window,
            d.actions
        from afterpush.deliveries as d
        left join afterpush.campaigns as c on c.app_id = d.app_id and c.campaign_id = d.campaign_id
        where d.app_id = of_app
          and d.device_id is not null
          and not afterpush.is_held_out(d.kinds)
          and (not only_verified or d.verified_kinds <> 0)
          and (
              only_campaign is null
              or afterpush.stated(d.campaign_id, d.campaign_source_rank, only_verified) = only_campaign
          )
          and (
              only_category is null
              or afterpush.stated(d.category_id, d.category_source_rank, only_verified) = only_category
          )
          and (only_variant is null or afterpush.stated(d.variant, d.campaign_source_rank, only_verified) = only_variant)
          and (
              only_platform is null
              or afterpush.stated(d.platform, d.platform_source_rank, only_verified) = only_platform
          )
          and (
              starts is null
              or afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) >= starts
          )
          and (
              ends is null or afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < ends
          )
          and afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) <= as_of - length
    ),
    seen as (
        select
            s.delivery_id,
            coalesce(
                bit_or(afterpush.kind_bit(e.kind)) filter (
                    where e.occurred_at <= s.anchor_at + length
                      -- As counted_kinds.
                      and (
                          e.kind <> 'converted'
                          or e.occurred_at >= s.anchor_at and e.occurred_at - s.anchor_at <= s.conversion_window
                      )
                ),
                0
            ) as kinds
        from selected as s
        join afterpush.events as e on e.delivery_id = s.delivery_id
        where e.app_id = of_app
          and (not only_verified or e.verified)
          and e.batch_id <> all (waiting)
        group by s.delivery_id, s.kinds
        having bit_or(afterpush.kind_bit(e.kind)) = s.kinds
    ),
    grouped as (
        select
            afterpush.hour_of(s.anchor_at) as hour, s.campaign_id, s.variant, s.category_id, s.category_version,
            s.platform, s.app_version,
            array(
                select a.action_id
                from unnest(s.actions) as a
                where case
                    when only_verified then a.verified_first_at
                    else least(a.unverified_first_at, a.verified_first_at)
                end <= s.anchor_at + length
            ) as actions,
            seen.kinds,
            count(*)::integer as deliveries
        from selected as s
        join seen on seen.delivery_id = s.delivery_id
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    ),
    -- Each state times the deliveries that are in it, at all, as sends, and as confirmed ones.
    counted as (
        select
            g.*,
            g.deliveries * k.is_sent::integer as n_sent,
            g.deliveries * k.is_confirmed::integer as n_confirmed,
            (cardinality(g.actions) > 0)::integer as acted,
            k.is_sent, k.failed, k.delivered, k.displayed, k.opened, k.replied, k.dismissed, k.read, k.responded,
            k.converted_events, k.replaced, k.refused
        from grouped as g
        cross join lateral afterpush.states(g.kinds) as k
    )
    select
        'deliveries_within', of_app, only_verified, c.hour, c.campaign_id, c.variant, c.category_id,
        c.category_version, c.platform, c.app_version, c.actions,
        c.deliveries, c.n_sent, c.n_confirmed, c.n_confirmed * c.is_sent::integer,
        c.failed * c.deliveries, c.delivered * c.deliveries, c.delivered * c.n_sent, c.displayed * c.deliveries,
        c.opened * c.deliveries, c.opened * c.n_sent, c.opened * c.n_confirmed,
        c.acted * c.deliveries, c.acted * c.n_sent, c.acted * c.n_confirmed,
        c.replied * c.deliveries, c.replied * c.n_sent, c.replied * c.n_confirmed,
        c.dismissed * c.deliveries, c.dismissed * c.n_sent, c.dismissed * c.n_confirmed,
        c.read * c.deliveries, c.read * c.n_sent, c.read * c.n_confirmed,
        c.responded * c.deliveries, c.responded * c.n_sent, c.responded * c.n_confirmed,
        c.replaced * c.deliveries, c.replaced * c.n_sent, c.replaced * c.n_confirmed,
        c.refused * c.deliveries, c.refused * c.n_sent,
        c.converted_events * c.deliveries, c.converted_events * c.n_sent, c.converted_events * c.n_confirmed,
        (1 - c.converted_events) * c.deliveries, (1 - c.converted_events) * c.n_sent,
        (1 - c.converted_events) * c.n_confirmed,
        0
    from counted as c;
end
$$;
comment on function afterpush.report_deliveries_within is
    'Deliveries of some age that a report selects, in the states that they had at that age, by hour and action.';
