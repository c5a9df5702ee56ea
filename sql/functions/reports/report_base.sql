create or replace function afterpush.report_base(
    app text, "from" timestamptz, "to" timestamptz, campaign text, category text, variant text, platform text,
    verified boolean, base_choice text, seam timestamptz default null
) returns text
language plpgsql stable
set max_parallel_workers_per_gather = 0
set enable_mergejoin = off
as $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_base.app);
    starts constant timestamptz := greatest(report_base."from", report_base.seam);
    ends constant timestamptz := report_base."to";
    declared constant text[] := array(select distinct s.campaign_id from afterpush.sends as s where s.app_id = this_app);
    source text;
    base text;
begin
    if this_app is null then
        raise exception 'app: no app is named %, or this role may not see it', coalesce(quote_literal(report_base.app), 'null')
            using errcode = 'invalid_parameter_value';
    end if;
    if base_choice <> 'auto' then
        return base_choice;
    end if;
    source := afterpush.report_source(
        this_app, starts, ends,
        afterpush.report_conditions(report_base.campaign, report_base.category, report_base.variant, report_base.platform),
        report_base.verified, 'days', afterpush.report_split(starts, ends, array[starts, ends]), 'none',
        cardinality(declared) > 0
    );
    execute format(
        $text$
        select case
            when exists (
                select from (%1$s) as s where is_declaration or deliveries_sent > 0 and campaign_id <> all ($1)
            ) then 'sent'
            when exists (select from (%1$s) as s where deliveries_confirmed > 0) then 'confirmed'
            else 'none'
        end
        $text$,
        source
    )
    into base
    using declared;
    return base;
end
$$;
comment on function afterpush.report_base is 'The base of a report''s rates: sent, confirmed or none.';
