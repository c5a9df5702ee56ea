-- Notes a change of deliveries in rollup_device_changes, by the groups of rollup_device_buckets.
--
-- shapes: deliveries that came, and deliveries that went (see merge_batches). The caller holds the lock of their apps.
--
-- While many changes are noted, each app also settles as many as it adds. Otherwise deliveries that have nothing in
-- common, each of which is a row, would be noted faster than they are settled, and the app's reports read all of them.
--
-- Most deliveries are the same by all events and by the verified ones, groups included. They have one row, with both
-- modes.
create or replace function afterpush.add_device_changes(shapes afterpush.delivery_shape[]) returns void
language plpgsql
as $$
declare
    -- An app, and how many rows it adds.
    noted record;
begin
    for noted in
        with added as (
            insert into afterpush.rollup_device_changes
            select
                app_id, mode, afterpush.day_of(anchor_hour),
                case when mode = 2 then verified_campaign_id else campaign_id end,
                case when mode = 2 then verified_variant else variant end,
                case when mode = 2 then verified_category_id else category_id end,
                case when mode = 2 then verified_category_version else category_version end,
                case when mode = 2 then verified_platform else platform end,
                case when mode = 2 then verified_kinds else kinds end,
                case when mode = 2 then verified_actions else actions end,
                coalesce(string_agg(come, ''), ''),
                coalesce(string_agg(gone, ''), '')
            from (
                select
                    app_id, anchor_hour, campaign_id, variant, category_id, category_version, platform,
                    v.verified_campaign_id, v.verified_variant, v.verified_category_id, v.verified_category_version,
                    v.verified_platform,
                    (campaign_id, variant, category_id, category_version, platform) = (
                        v.verified_campaign_id, v.verified_variant, v.verified_category_id, v.verified_category_version,
                        v.verified_platform
                    ) as has_verified_names,
                    afterpush.rate_kinds(kinds) as kinds,
                    afterpush.rate_kinds(verified_kinds) as verified_kinds,
                    coalesce((actions).action_ids, '{}') as actions,
                    case
                        when actions is null then '{}'
                        when 0 = all ((actions).verified_events) then '{}'
                        when 0 <> all ((actions).verified_events) then (actions).action_ids
                        else array(
                            select a.action_id
                            from unnest((actions).action_ids, (actions).verified_events) as a (action_id, events)
                            where a.events > 0
                        )
                    end as verified_actions,
                    s.verified_kinds <> 0 as is_verified,
                    come, gone
                from unnest(shapes) as s
                cross join lateral afterpush.verified_names(
                    verified_dimensions, platform, app_version, campaign_id, variant, category_id, category_version
                ) as v
                where come is distinct from gone
                offset 0
            ) as s
            cross join lateral unnest(
                case
                    when not is_verified then '{1}'::smallint[]
                    when kinds = verified_kinds and actions = verified_actions and has_verified_names then '{3}'
                    else '{1,2}'
                end
            ) as mode
            group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
            returning app_id
        )
        select app_id, count(*)::integer as rows from added group by app_id order by app_id
    loop
        if afterpush.has_many_device_changes() then
            perform afterpush.settle_device_changes(noted.rows, noted.app_id);
        end if;
    end loop;
end
$$;
comment on function afterpush.add_device_changes is 'Notes a change of deliveries in rollup_device_changes.';

-- Whether so many changes are noted that reports become slow. It asks for the size, because counting takes longer; the
-- table keeps its size until it is vacuumed.
create or replace function afterpush.has_many_device_changes() returns boolean
language sql volatile
return pg_relation_size('afterpush.rollup_device_changes') > 64 * 1024 * 1024;
comment on function afterpush.has_many_device_changes is
    'Returns whether many changes of deliveries by device bucket are noted and not settled.';
