-- Narrows a selection to the days of its campaign, and refuses an app that does not exist.
--
-- only_verified: whether the report counts only what verified events show. The days are then those of verified
-- deliveries: others must not decide what is read, nor whether it is too much to be read one by one.
create or replace function afterpush.report_span(
    app_id integer, "from" timestamptz, "to" timestamptz, campaign text, only_verified boolean,
    out starts timestamptz, out ends timestamptz
)
language plpgsql stable
as $$
begin
    if report_span.app_id is null then
        raise exception 'app: there is no app with this name, or this role may not read it'
            using errcode = 'invalid_parameter_value';
    end if;
    starts := "from";
    ends := "to";
    if campaign is not null then
        select
            greatest("from", coalesce(min(d.anchor_day), 'infinity')),
            least("to", coalesce(max(d.anchor_day), '-infinity') + interval '24 hours')
        into starts, ends
        from afterpush.rollup_campaign_days as d
        where d.app_id = report_span.app_id
          and d.verified = only_verified
          and d.campaign_id = report_span.campaign;
    end if;
end
$$;
comment on function afterpush.report_span is 'The time of a selection, narrowed to the days of its campaign.';
