-- Of an app that there is not, what is made of its id was no SQL: an analyst who mistyped its name in psql read of a syntax
-- error in a statement that is not theirs.
create or replace function afterpush.report_span(
    app_id integer, "from" timestamptz, "to" timestamptz, campaign text, out starts timestamptz, out ends timestamptz
)
language plpgsql stable
as $$
begin
    if report_span.app_id is null then
        raise exception 'app: no app has this name, or this role may not see it'
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
comment on function afterpush.report_span is 'A selection, narrowed to the days of its campaign.';
