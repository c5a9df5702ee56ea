-- Deliveries by how many other notifications their device had in the seven days before, from anchor to anchor: a row for
-- each such number, set of kinds (of bits 1509: whether it was sent, confirmed, responded to, dismissed or replaced) and
-- for whether its dismissal would be reported. Every notification of a device counts that did not fail, whether or not it
-- is selected. Nothing is kept from one call to the next, so a report may ask for parts of its time, each by a process of
-- its own: the cost says that it is worth one.
create or replace function afterpush.report_recent_deliveries(
    app text, "from" timestamptz, "to" timestamptz, only_campaign text, only_category text, only_variant text,
    only_platform text, verified boolean
)
returns table (recent bigint, kinds integer, dismiss_observable boolean, deliveries bigint)
language plpgsql stable parallel safe
cost 100000000
as $$
declare
    this_app constant integer := (select a.app_id from afterpush.apps as a where a.name = report_recent_deliveries.app);
    anchor constant text := 'afterpush.anchor_at(sent_at, receipt_issued_at, first_event_at)';
begin
    return query execute format(
        $text$
        select recent, kinds, dismiss_observable, count(*)
        from (
            select
                is_selected, kinds, dismiss_observable,
                count(*) filter (where not has_failed) over (
                    partition by device_hash, device_hash_2
                    order by anchor_at
                    range between interval '168 hours' preceding and interval '1 microsecond' preceding
                ) as recent
            from (
                select
                    -- 128 bits stand for a device: they are sorted faster than its name, which may be long.
                    hashtextextended(device_id, 0) as device_hash,
                    hashtextextended(device_id, 1) as device_hash_2,
                    anchor_at,
                    kinds & 1509 as kinds,
                    kinds & 2 <> 0 and kinds & 31228 = 0 as has_failed,
                    coalesce(anchor_at >= %L %s, false) as is_selected,
                    %s as dismiss_observable
                from (
                    select *, %s as kinds, %s as anchor_at
                    from (
                        select
                            app_id, device_id, campaign_id, category_id, category_version, variant, platform,
                            kinds as all_kinds, verified_kinds, sent_at, receipt_issued_at, first_event_at
                        from afterpush.deliveries
                    ) as d
                    where app_id = %L %s
                ) as d
                where device_id is not null
                  and kinds <> 0
                -- Sorts these, and not what they are made of.
                offset 0
            ) as told
        ) as had
        where is_selected
        group by 1, 2, 3
        $text$,
        coalesce("from", '-infinity'),
        afterpush.report_conditions(only_campaign, only_category, only_variant, only_platform),
        afterpush.report_observable(this_app),
        case when report_recent_deliveries.verified then 'verified_kinds' else 'all_kinds' end,
        anchor,
        this_app,
        afterpush.report_within(anchor, "from" - interval '168 hours', "to")
    );
end
$$;
comment on function afterpush.report_recent_deliveries is
    'Deliveries by how many notifications their device had in the seven days before.';
