-- Whether the dismissal of a delivery would be reported, as an expression of its category, version, platform and anchor_at.
-- So versions are looked up once, and not for each of a million deliveries.
create or replace function afterpush.report_observable(app_id integer) returns text
language sql stable parallel safe
begin atomic
    select format(
        $text$
        case
            when platform in ('android', 'web') then true
            when platform is distinct from 'ios' or category_id is null then false
            when category_version > 0 then category_id || ' ' || category_version = any (%L::text[])
            when category_id = any (%L::text[]) then true
            %s else false
        end
        $text$,
        coalesce((
            select array_agg(v.category_id || ' ' || v.version)
            from afterpush.category_versions as v
            where v.app_id = report_observable.app_id
              and v.dismiss_observable
        ), '{}'),
        coalesce(array_agg(c.category_id) filter (where c.is_always), '{}'),
        string_agg(format('when category_id = %L and anchor_at <@ %L::tstzmultirange then true ', c.category_id, c.times), '')
            filter (where not c.is_always)
    )
    from (
        select
            v.category_id,
            bool_and(v.dismiss_observable) as is_always,
            range_agg(tstzrange(v.in_force_from, v.in_force_to))
                filter (where v.dismiss_observable and v.in_force_from < v.in_force_to) as times
        from afterpush.category_versions as v
        where v.app_id = report_observable.app_id
        group by v.category_id
        having bool_or(v.dismiss_observable)
    ) as c;
end;
comment on function afterpush.report_observable is
    'An expression for whether the dismissal of a delivery would be reported.';
