-- Adds noted changes of deliveries by device bucket to the two rollups of device buckets, and deletes the rows that
-- became zero. roll_up calls it, and add_device_changes, for apps whose lock they hold.
--
-- max_rows: how many rows of rollup_device_changes to add, so that a transaction stays short; null for all.
-- only_app: as in roll_up.
create or replace function afterpush.settle_device_changes(max_rows integer, only_app integer default null)
returns void
language plpgsql
-- roll_up turns hash joins off, because a merge touches few rows. Here thousands of groups are joined: a nested loop
-- reads as many for each of them.
set enable_hashjoin = on
-- A bitmap would have all changes of an app before the limit ends it, and a scan of the table those of all apps.
set enable_bitmapscan = off
set enable_seqscan = off
as $$
declare
    deltas afterpush.rollup_device_buckets[];
    emptied tid[];
begin
    with taken as (
        delete from afterpush.rollup_device_changes
        where ctid = any (array(
            select c.noted_row
            from afterpush.apps_to_merge(only_app) as a (app_id)
            cross join lateral (
                select c.ctid as noted_row
                from afterpush.rollup_device_changes as c
                where c.app_id = a.app_id
                limit max_rows
            ) as c
            limit max_rows
        ))
        returning *
    ),
    grouped as materialized (
        select
            row_number() over () as place, app_id, modes, anchor_day, campaign_id, variant, category_id,
            category_version, platform, kinds, actions,
            string_agg(come, '') as come,
            string_agg(gone, '') as gone
        from taken
        group by app_id, modes, anchor_day, campaign_id, variant, category_id, category_version, platform, kinds,
            actions
    ),
    counted as (
        select place, get_byte(come, i) & 127 as bucket, 1 as change
        from grouped
        cross join lateral generate_series(0, octet_length(come) - 1) as i
        union all
        select place, get_byte(gone, i) & 127, -1
        from grouped
        cross join lateral generate_series(0, octet_length(gone) - 1) as i
    ),
    packed as (
        select place, sum((change || 'e' || bucket * 8)::numeric) as device_buckets
        from (
            select place, bucket, sum(change) as change
            from counted
            group by 1, 2
            having sum(change) <> 0
        ) as changed
        group by place
    )
    select array_agg(
        row(
            app_id, modes, anchor_day, campaign_id, variant, category_id, category_version, platform, kinds, actions,
            device_buckets
        )::afterpush.rollup_device_buckets
    )
    into deltas
    from grouped
    join packed using (place);

    with added as (
        insert into afterpush.rollup_device_buckets as r
        select *
        from unnest(deltas)
        order by
            app_id, campaign_id, anchor_day, variant, category_id, category_version, platform, kinds, modes, actions
        on conflict (
            app_id, campaign_id, anchor_day, variant, category_id, category_version, platform, kinds, modes,
            afterpush.actions_key(actions)
        ) do update set device_buckets = r.device_buckets + excluded.device_buckets
        returning r.ctid as stored_row, r.device_buckets
    )
    select array_agg(stored_row) into emptied from added where device_buckets = 0;
    if emptied is not null then
        delete from afterpush.rollup_device_buckets where ctid = any (emptied);
    end if;

    with added as (
        insert into afterpush.rollup_device_bucket_totals as r
        select
            app_id, modes, anchor_day,
            case when actions = '{}' then '' else campaign_id end,
            case when actions = '{}' then '' else category_id end,
            case when actions = '{}' then 0 else category_version end,
            kinds, actions, sum(device_buckets)
        from unnest(deltas)
        group by 1, 2, 3, 4, 5, 6, 7, 8
        having sum(device_buckets) <> 0
        order by 1, 3, 4, 5, 6, 7, 2, 8
        on conflict (
            app_id, anchor_day, campaign_id, category_id, category_version, kinds, modes,
            afterpush.actions_key(actions)
        ) do update set device_buckets = r.device_buckets + excluded.device_buckets
        returning r.ctid as stored_row, r.device_buckets
    )
    select array_agg(stored_row) into emptied from added where device_buckets = 0;
    if emptied is not null then
        delete from afterpush.rollup_device_bucket_totals where ctid = any (emptied);
    end if;
end
$$;
comment on function afterpush.settle_device_changes is
    'Adds noted changes of deliveries by device bucket to the rollups of device buckets.';
