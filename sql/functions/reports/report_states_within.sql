-- The states that deliveries had at some age, one row per delivery: of deliveries that were at least `within` old at
-- `as_of`, the kinds and actions of their events of the first `within` after the anchor, `converted` events within the
-- conversion window only. Later events count for the dimensions only. The other parameters are those of report_counts.
--
-- kinds are those at that age, later_kinds those of all events.
--
-- Deliveries whose events may not all be stored any more are left out: those of erased devices and of sealed hours.
--
-- What a delivery itself knows is enough for most: the first send, the first confirmation, the first response if all are
-- of one kind, and the first conversion. Only for the others, events are read; reading those of every delivery took
-- ten times as long.
--
-- sample_level: above 0, only a sample of the deliveries is read (deliveries/sample.sql).
create or replace function afterpush.report_states_within(
    of_app integer, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, only_verified boolean, within interval, as_of timestamptz, sample_level integer default 0
)
returns table (
    delivery_id uuid, anchor_at timestamptz, campaign_id text, variant text, category_id text,
    category_version integer, platform text, app_version text, actions text[], kinds integer, later_kinds integer
)
language plpgsql stable
rows 10000
-- Planned for its arguments, so that a condition that is not asked for costs nothing.
set plan_cache_mode = force_custom_plan
set max_parallel_workers_per_gather = 0
as $$
#variable_conflict use_column
declare
    -- Batches that are not in the rollups yet are in no report.
    waiting constant bigint[] := afterpush.report_waiting_batches();
    sealed constant timestamptz := (select w.sealed_before from afterpush.rollup_worker as w);
    -- In seconds: a day of the session's time zone may have 23 hours.
    length constant interval := make_interval(secs => extract(epoch from within)::double precision);
    starts timestamptz;
    ends timestamptz;
begin
    select s.starts, s.ends
    into starts, ends
    from afterpush.report_span(of_app, "from", "to", only_campaign, only_verified) as s;
    -- An anchor is selected by its hour: the next full hours select the same.
    starts := greatest(afterpush.hour_of(starts + interval '3599.999999 s'), sealed);
    ends := afterpush.hour_of(ends + interval '3599.999999 s');
    return query
    with selected as materialized (
        select
            d.*,
            -- No kinds but sent (1), delivered (4), converted (512), and one of the responses: opened (32), action (64),
            -- text_input (128), dismissed (256).
            d.kinds & ~(1 | 4 | 512 | 32 | 64 | 128 | 256) = 0
                and d.kinds & (32 | 64 | 128 | 256) in (0, 32, 64, 128, 256) as is_plain,
            -- As counted_kinds.
            d.anchor_at + least(length, d.conversion_window) as converts_until
        from (
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
                    case
                        when d.campaign_source_rank <= 3 or not only_verified
                        then afterpush.window_of_delivery(
                            c.counted_window, c.next_window, c.recounted_device, c.recounted_delivery, d.device_number, d.delivery_id
                        )
                    end,
                    interval '72 hours'
                ) as conversion_window,
                case when only_verified then d.verified_sent_at else d.sent_at end as sent_at,
                case when only_verified then d.verified_confirmed_at else d.confirmed_at end as confirmed_at,
                case when only_verified then d.verified_responded_at else d.responded_at end as responded_at,
                case when only_verified then d.verified_converted_at else d.converted_at end as converted_at,
                d.actions
            from afterpush.deliveries as d
            left join afterpush.campaigns as c on c.app_id = d.app_id and c.campaign_id = d.campaign_id
            where d.app_id = of_app
              and d.device_id is not null
              and (sample_level = 0 or d.delivery_id < afterpush.sample_end(sample_level))
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
        ) as d
    ),
    -- No join of the two lists of deliveries: without statistics, it would be planned for a few and take minutes for many.
    seen as (
        select
            s.*,
            case when s.sent_at <= s.anchor_at + length then 1 else 0 end
                | case when s.confirmed_at <= s.anchor_at + length then 4 else 0 end
                | case when s.responded_at <= s.anchor_at + length then s.kinds & (32 | 64 | 128 | 256) else 0 end
                | case when s.converted_at <= s.converts_until then 512 else 0 end as seen_kinds
        from selected as s
        where s.is_plain
        union all
        select s.*, coalesce(e.seen_kinds, 0)
        from selected as s
        cross join lateral (
            select
                bit_or(afterpush.kind_bit(e.kind)) as stored_kinds,
                bit_or(afterpush.kind_bit(e.kind)) filter (
                    where e.occurred_at <= s.anchor_at + length
                      and (e.kind <> 'converted' or e.occurred_at between s.anchor_at and s.converts_until)
                ) as seen_kinds
            from afterpush.events as e
            where e.delivery_id = s.delivery_id
              and e.app_id = of_app
              and (not only_verified or e.verified)
              and e.batch_id <> all (waiting)
        ) as e
        where not s.is_plain
          and e.stored_kinds = s.kinds
    )
    select
        s.delivery_id, s.anchor_at, s.campaign_id, s.variant, s.category_id, s.category_version, s.platform,
        s.app_version,
        case
            when s.actions is null then '{}'
            else array(
                select a.action_id
                from unnest(s.actions) as a
                where case
                    when only_verified then a.verified_first_at
                    else least(a.unverified_first_at, a.verified_first_at)
                end <= s.anchor_at + length
            )
        end,
        s.seen_kinds, s.kinds
    from seen as s;
end
$$;
comment on function afterpush.report_states_within is
    'The deliveries of some age that a report selects, with the kinds and actions that they had at that age.';
