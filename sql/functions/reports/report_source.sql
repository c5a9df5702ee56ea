-- A statement for rows of the rollups that a report selects, with the same columns from whichever serve: `level` is days,
-- hours or versions (of the app). With days, those in `split` are read by hour. Columns that end in `_base` count those that
-- are sent or confirmed, as `base` says. `unconverted` have converted if one of `actions` is a goal; by day, sets of actions
-- stand in a rollup of their own (report_goal_source). With sends, declared ones are rows too.
create or replace function afterpush.report_source(
    app_id integer, "from" timestamptz, "to" timestamptz, conditions text, verified boolean, level text,
    split timestamptz[], base text, with_sends boolean
) returns text
language plpgsql immutable
as $$
declare
    of_app constant text := format('app_id = %s and verified = %L', report_source.app_id, report_source.verified);
    in_base constant text := case when base in ('sent', 'confirmed') then 'is_' || base else 'false' end;
    names constant text := 'select campaign_id, variant, category_id, category_version, platform, ';
    no_version constant text := $text$'' collate "C" as app_version, $text$;
    hourly text;
    daily text;
    days text := concat(of_app, conditions, afterpush.report_within('anchor_day', "from", "to"));
    hours constant text := concat(of_app, conditions, afterpush.report_within('anchor_hour', "from", "to"));
    branches text[];
begin
    select
        string_agg(
            format('(%1$s)::integer as %2$s, case when %3$s then (%1$s)::integer else 0 end as %2$s_base', value, name, in_base),
            ', ' order by place
        ),
        string_agg(
            format('%1$s, %2$s as %1$s_base', name, case when in_base <> 'false' then name || '_' || base else '0' end),
            ', ' order by place
        )
    into hourly, daily
    from (
        values
            (1, 'deliveries', 'deliveries'),
            (2, 'opened', 'opened'),
            (3, 'acted', 'case when cardinality(actions) > 0 then deliveries else 0 end'),
            (4, 'replied', 'replied'),
            (5, 'dismissed', 'dismissed'),
            (6, 'read', 'read'),
            (7, 'responded', 'responded'),
            (8, 'converted_events', 'converted_events'),
            (9, 'replaced', 'replaced')
    ) as counts (place, name, value);
    hourly := format(
        $text$
        %1$s,
        case when is_sent then deliveries::integer else 0 end as deliveries_sent,
        case when is_confirmed then deliveries::integer else 0 end as deliveries_confirmed,
        case when is_sent and is_confirmed then deliveries::integer else 0 end as deliveries_both,
        failed::integer as failed,
        delivered::integer as delivered,
        case when is_sent then delivered::integer else 0 end as delivered_sent,
        displayed::integer as displayed,
        actions,
        (deliveries - converted_events)::integer as unconverted,
        case when %2$s then (deliveries - converted_events)::integer else 0 end as unconverted_base,
        0 as declared_sends,
        false as is_declaration
        $text$,
        hourly, in_base
    );
    if level = 'days' then
        if cardinality(split) > 0 then
            days := days || format(' and anchor_day <> all (%L::timestamptz[])', split);
            -- offset 0 keeps the planner from reading all hours and picking days then.
            branches := array[concat(
                names, no_version, 'anchor_hour as hour, ', hourly,
                format('from unnest(%L::timestamptz[]) as split (day)', split),
                ' cross join lateral (select * from afterpush.rollup_deliveries where ', hours,
                ' and anchor_hour >= split.day and anchor_hour < split.day + interval ''24 hours'' offset 0) as r'
            )];
        end if;
        branches := branches || concat(
            names, no_version, 'anchor_day as hour, ', daily,
            ', deliveries_sent, deliveries_confirmed, deliveries_both, failed, delivered, delivered_sent, displayed, ',
            '''{}''::text[] collate "C" as actions, 0 as unconverted, 0 as unconverted_base, 0 as declared_sends, ',
            'false as is_declaration from afterpush.rollup_delivery_days where ', days
        );
    elsif level = 'hours' then
        branches := array[concat(
            names, no_version, 'anchor_hour as hour, ', hourly, 'from afterpush.rollup_deliveries where ', hours
        )];
    else
        branches := array[concat(
            names, 'app_version, anchor_hour as hour, ', hourly, 'from afterpush.rollup_app_versions where ', hours
        )];
    end if;
    if with_sends then
        branches := branches || concat(
            'select * from (select campaign_id, coalesce(variant, '''') as variant, coalesce(category_id, '''') as category_id, ',
            'coalesce(category_version, 0), coalesce(platform, '''') as platform, ', no_version,
            'afterpush.hour_of(sent_at) as hour, ', repeat('0, ', 21), 'failed, 0, 0, 0, ',
            '''{}''::text[] collate "C", 0, 0, count, true from afterpush.sends where app_id = ',
            report_source.app_id, ') as s where true', conditions, afterpush.report_within('hour', "from", "to")
        );
    end if;
    return array_to_string(branches, ' union all ');
end
$$;
comment on function afterpush.report_source is
    'A statement for rows of the rollups, and declared sends, that a report selects.';
