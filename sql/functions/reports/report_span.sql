-- Narrows a selection to the days of its campaign, and refuses an app that does not exist.
create or replace function afterpush.report_span(
    app_id integer, "from" timestamptz, "to" timestamptz, campaign text, out starts timestamptz, out ends timestamptz
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
        from afterpush.rollup_delivery_days as d
        where d.app_id = report_span.app_id
          and not d.verified
          and d.campaign_id = report_span.campaign;
    end if;
end
$$;
comment on function afterpush.report_span is 'The time of a selection, narrowed to the days of its campaign.';
