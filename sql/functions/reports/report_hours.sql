-- A report on a campaign that was sent within two days reads only the hours of the campaign, not all of these days.
--
-- only_verified: as in report_span.
create or replace function afterpush.report_hours(
    app text, campaign text, only_verified boolean, out starts timestamptz, out ends timestamptz
)
language plpgsql stable
as $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_hours.app);
begin
    select min(d.anchor_day), max(d.anchor_day) + interval '24 hours'
    into starts, ends
    from afterpush.rollup_campaign_days as d
    where d.app_id = this_app
      and d.verified = only_verified
      and d.campaign_id = report_hours.campaign;
    if ends <= starts + interval '48 hours' then
        select min(r.anchor_hour), max(r.anchor_hour) + interval '1 hour'
        into starts, ends
        from afterpush.rollup_deliveries as r
        where r.app_id = this_app
          and r.verified = only_verified
          and r.anchor_hour >= starts
          and r.anchor_hour < ends
          and r.campaign_id = report_hours.campaign;
    end if;
end
$$;
comment on function afterpush.report_hours is
    'The hours that a campaign''s deliveries are anchored in, or the days if there are more than two.';
