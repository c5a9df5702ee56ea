create or replace function afterpush.report_goal_source(
    app_id integer, "from" timestamptz, "to" timestamptz, conditions text, verified boolean, split timestamptz[], base text
) returns text
language plpgsql immutable
as $$
begin
    return format(
        $text$
        select
            campaign_id, variant, category_id, category_version, platform, anchor_day as hour, actions,
            deliveries as unconverted, %s as unconverted_base
        from afterpush.rollup_goal_days
        where app_id = %s and verified = %L and anchor_day <> all (%L::timestamptz[]) %s %s
        $text$,
        case when base in ('sent', 'confirmed') then 'deliveries_' || base else '0' end,
        app_id, verified, split, conditions, afterpush.report_within('anchor_day', "from", "to")
    );
end
$$;
comment on function afterpush.report_goal_source is
    'A statement for sets of actions, by day, that a report selects.';
