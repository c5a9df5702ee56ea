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

create or replace function afterpush.report_base(
    app text, "from" timestamptz, "to" timestamptz, campaign text, category text, variant text, platform text,
    verified boolean, per text, seam timestamptz default null
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
    if per <> 'auto' then
        return per;
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
