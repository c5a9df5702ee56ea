-- When the deliveries of each selected anchor hour and campaign are closed: their hour and the campaign's response
-- window are over. A campaign with declared sends closes as a whole, with its last.
create or replace function afterpush.report_closing_times(
    app text, from_hour timestamptz, to_hour timestamptz, tz text
)
returns table (day date, deliveries bigint, closed_at timestamptz)
language sql stable parallel safe
as $$
    select
        (r.anchor_hour at time zone tz)::date,
        r.deliveries,
        coalesce(s.last_hour, r.anchor_hour) + interval '1 hour' + coalesce(c.response_window, interval '72 hours')
    from (
        select r.app_id, r.anchor_hour, r.campaign_id, sum(r.deliveries)::bigint as deliveries
        from afterpush.rollup_deliveries as r
        where r.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
          and not r.verified
          and r.anchor_hour >= from_hour
          and r.anchor_hour < to_hour
        group by r.app_id, r.anchor_hour, r.campaign_id
    ) as r
    left join (
        select s.campaign_id, afterpush.hour_of(max(s.sent_at)) as last_hour
        from afterpush.sends as s
        where s.app_id = (select a.app_id from afterpush.apps as a where a.name = app)
        group by s.campaign_id
    ) as s using (campaign_id)
    left join afterpush.campaigns as c using (app_id, campaign_id)
$$;
comment on function afterpush.report_closing_times is
    'Deliveries by local day, anchor hour and campaign, with the time at which they are closed.';
