-- The deliveries that a report selects, one by one, with what all their events show, or with `verified` their verified
-- events alone, which then state the dimensions as well.
create or replace function afterpush.report_deliveries(
    app text, "from" timestamptz, "to" timestamptz, campaign text, category text, variant text, platform text,
    verified boolean, only_app_version text default null
)
returns table (
    app_id integer, delivery_id uuid, device_id text, anchor_at timestamptz, hour timestamptz, campaign_id text,
    variant text, category_id text, category_version integer, platform text, app_version text, kinds integer,
    confirmed_at timestamptz, sent_at timestamptz, responded_at timestamptz, failed_at timestamptz,
    replaced_at timestamptz
)
language sql stable
as $$
    select
        d.app_id,
        d.delivery_id,
        d.device_id,
        afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at),
        afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at),
        coalesce(afterpush.stated(d.campaign_id, d.campaign_source_rank, report_deliveries.verified), ''),
        coalesce(afterpush.stated(d.variant, d.campaign_source_rank, report_deliveries.verified), ''),
        coalesce(afterpush.stated(d.category_id, d.category_source_rank, report_deliveries.verified), ''),
        case
            when d.category_source_rank <= 3 or not report_deliveries.verified then coalesce(d.category_version, 0)
            else 0
        end,
        coalesce(afterpush.stated(d.platform, d.platform_source_rank, report_deliveries.verified), ''),
        coalesce(afterpush.stated(d.app_version, d.app_version_source_rank, report_deliveries.verified), ''),
        case when report_deliveries.verified then d.verified_kinds else d.kinds end,
        case when report_deliveries.verified then d.verified_confirmed_at else d.confirmed_at end,
        case when report_deliveries.verified then d.verified_sent_at else d.sent_at end,
        case when report_deliveries.verified then d.verified_responded_at else d.responded_at end,
        case when report_deliveries.verified then d.verified_failed_at else d.failed_at end,
        case when report_deliveries.verified then d.verified_replaced_at else d.replaced_at end
    from afterpush.deliveries as d
    join afterpush.apps as a using (app_id)
    where a.name = report_deliveries.app
      and (not report_deliveries.verified or d.verified_kinds <> 0)
      and not afterpush.is_held_out(d.kinds)
      and afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at)
          >= (select coalesce(afterpush.hour_of(report_deliveries."from" + interval '3599.999999 s'), '-infinity'))
      and afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at)
          < (select coalesce(afterpush.hour_of(report_deliveries."to" + interval '3599.999999 s'), 'infinity'))
      and (
          report_deliveries.campaign is null
          or afterpush.stated(d.campaign_id, d.campaign_source_rank, report_deliveries.verified)
              = report_deliveries.campaign
      )
      and (
          report_deliveries.campaign is null
          or afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at)
              >= (
                  select h.starts
                  from afterpush.report_hours(
                      report_deliveries.app, report_deliveries.campaign, report_deliveries.verified
                  ) as h
              )
      )
      and (
          report_deliveries.campaign is null
          or afterpush.anchor_at(d.verified_sent_at, d.receipt_issued_at, d.first_event_at)
              < (
                  select h.ends
                  from afterpush.report_hours(
                      report_deliveries.app, report_deliveries.campaign, report_deliveries.verified
                  ) as h
              )
      )
      and (
          report_deliveries.category is null
          or afterpush.stated(d.category_id, d.category_source_rank, report_deliveries.verified)
              = report_deliveries.category
      )
      and (
          report_deliveries.variant is null
          or afterpush.stated(d.variant, d.campaign_source_rank, report_deliveries.verified)
              = report_deliveries.variant
      )
      and (
          report_deliveries.platform is null
          or afterpush.stated(d.platform, d.platform_source_rank, report_deliveries.verified)
              = report_deliveries.platform
      )
      and (
          only_app_version is null
          or afterpush.stated(d.app_version, d.app_version_source_rank, report_deliveries.verified) = only_app_version
      )
$$;
comment on function afterpush.report_deliveries is 'The deliveries that a report selects.';
