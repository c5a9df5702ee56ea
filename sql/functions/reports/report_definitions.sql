-- The current definitions of some metrics, as the JSON objects that reports carry, in the order of `names`.
create or replace function afterpush.definitions(names text[]) returns setof text
language sql stable
as $$
    select json_build_object(
        'name', d.name, 'version', d.version, 'unit', d.unit, 'definition', d.definition, 'numerator', d.numerator,
        'denominator', d.denominator, 'window', d.selection_window
    )::text
    from unnest(names) with ordinality as n (name, place)
    cross join lateral (
        select *
        from afterpush.metric_definitions
        where metric_definitions.name = n.name
        order by version desc
        limit 1
    ) as d
    order by place
$$;
comment on function afterpush.definitions is 'The current definitions of some metrics, as JSON objects.';

-- The definitions of a report's columns, as the JSON objects that it carries, in the order of `names`.
create or replace function afterpush.report_definitions(report text, names text[]) returns setof text
language sql stable
as $$
    select json_build_object(
        'name', n.name, 'version', d.version, 'unit', d.unit, 'definition', d.definition, 'numerator', d.numerator,
        'denominator', d.denominator, 'window', d.selection_window
    )::text
    from unnest(names) with ordinality as n (name, place)
    cross join lateral (
        select *
        from afterpush.metric_definitions
        where metric_definitions.name in (n.name, report || '.' || n.name)
        order by metric_definitions.name = n.name, version desc
        limit 1
    ) as d
    order by place
$$;
comment on function afterpush.report_definitions is
    'The current definitions of the columns of a report, as JSON objects.';
