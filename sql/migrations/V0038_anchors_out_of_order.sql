-- A range of pages that holds deliveries of now beside those of a month ago, as an import with events coming in meanwhile
-- leaves it, was looked into for every time between the two. Each range now has several spans of time.
drop index afterpush.deliveries_anchor;
create index deliveries_anchor on afterpush.deliveries using brin (
    afterpush.anchor_at(sent_at, receipt_issued_at, first_event_at) timestamptz_minmax_multi_ops
) with (pages_per_range = 32);

-- Whoever asks for a campaign that was sent within a day or two need not look at what else was sent on these.
create function afterpush.report_hours(app text, campaign text, out starts timestamptz, out ends timestamptz)
language plpgsql stable
as $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_hours.app);
begin
    select min(d.anchor_day), max(d.anchor_day) + interval '24 hours'
    into starts, ends
    from afterpush.rollup_delivery_days as d
    where d.app_id = this_app
      and not d.verified
      and d.campaign_id = report_hours.campaign;
    if ends <= starts + interval '48 hours' then
        select min(r.anchor_hour), max(r.anchor_hour) + interval '1 hour'
        into starts, ends
        from afterpush.rollup_deliveries as r
        where r.app_id = this_app
          and not r.verified
          and r.anchor_hour >= starts
          and r.anchor_hour < ends
          and r.campaign_id = report_hours.campaign;
    end if;
end
$$;
comment on function afterpush.report_hours is 'The time that a campaign''s deliveries are anchored in: hours, or days if they are many.';
grant execute on function afterpush.report_hours to afterpush_report;

-- As before, with these.
create or replace function afterpush.report_deliveries(
    app text, "from" timestamptz, "to" timestamptz, campaign text, category text, variant text, platform text,
    verified boolean
)
returns table (
    app_id integer, delivery_id uuid, device_id text, anchor_at timestamptz, hour timestamptz, campaign_id text,
    variant text, category_id text, category_version integer, platform text, app_version text, kinds integer,
    confirmed_at timestamptz, reached_at timestamptz, responded_at timestamptz
)
language sql stable
as $$
    select
        d.app_id,
        d.delivery_id,
        d.device_id,
        afterpush.anchor_at(d.sent_at, d.receipt_issued_at, d.first_event_at),
        afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at),
        coalesce(d.campaign_id, ''),
        coalesce(d.variant, ''),
        coalesce(d.category_id, ''),
        coalesce(d.category_version, 0),
        coalesce(d.platform, ''),
        coalesce(d.app_version, ''),
        case when report_deliveries.verified then d.verified_kinds else d.kinds end,
        case when report_deliveries.verified then d.verified_confirmed_at else d.confirmed_at end,
        case
            when report_deliveries.verified then coalesce(d.verified_confirmed_at, d.verified_sent_at)
            else coalesce(d.confirmed_at, d.sent_at)
        end,
        case when report_deliveries.verified then d.verified_responded_at else d.responded_at end
    from afterpush.deliveries as d
    join afterpush.apps as a using (app_id)
    where a.name = report_deliveries.app
      and (not report_deliveries.verified or d.verified_kinds <> 0)
      and afterpush.anchor_at(d.sent_at, d.receipt_issued_at, d.first_event_at)
          >= (select coalesce(afterpush.hour_of(report_deliveries."from" + interval '3599.999999 s'), '-infinity'))
      and afterpush.anchor_at(d.sent_at, d.receipt_issued_at, d.first_event_at)
          < (select coalesce(afterpush.hour_of(report_deliveries."to" + interval '3599.999999 s'), 'infinity'))
      and (report_deliveries.campaign is null or d.campaign_id = report_deliveries.campaign)
      and (
          report_deliveries.campaign is null
          or afterpush.anchor_at(d.sent_at, d.receipt_issued_at, d.first_event_at)
              >= (select h.starts from afterpush.report_hours(report_deliveries.app, report_deliveries.campaign) as h)
      )
      and (
          report_deliveries.campaign is null
          or afterpush.anchor_at(d.sent_at, d.receipt_issued_at, d.first_event_at)
              < (select h.ends from afterpush.report_hours(report_deliveries.app, report_deliveries.campaign) as h)
      )
      and (report_deliveries.category is null or d.category_id = report_deliveries.category)
      and (report_deliveries.variant is null or d.variant = report_deliveries.variant)
      and (report_deliveries.platform is null or d.platform = report_deliveries.platform)
$$;
