-- What reports select by, as conditions to put into a statement.
create or replace function afterpush.report_conditions(campaign text, category text, variant text, platform text) returns text
language plpgsql immutable
as $$
begin
    return concat(
        ' and campaign_id = ' || quote_literal(campaign),
        ' and category_id = ' || quote_literal(category),
        ' and variant = ' || quote_literal(variant),
        ' and platform = ' || quote_literal(platform)
    );
end
$$;
comment on function afterpush.report_conditions is 'Conditions on the names that a report selects by.';

create or replace function afterpush.report_within(at text, "from" timestamptz, "to" timestamptz) returns text
language plpgsql immutable
as $$
begin
    return concat(' and ' || at || ' >= ' || quote_literal("from"), ' and ' || at || ' < ' || quote_literal("to"));
end
$$;
comment on function afterpush.report_within is 'Conditions on the time that a report selects by.';

create or replace function afterpush.report_within_days(at text, days timestamptz[]) returns text
language plpgsql immutable
as $$
begin
    return format(' and afterpush.day_of(%s) = any (%L::timestamptz[])', at, days)
        || afterpush.report_within(
            at, (select min(d) from unnest(days) as d), (select max(d) + interval '24 hours' from unnest(days) as d)
        );
end
$$;
comment on function afterpush.report_within_days is 'Conditions on the day of a time, which let an index find it.';
