-- Adds deltas to rollup_values, in the order of its key, and deletes the rows that became zero.
--
-- deltas: several may be of one row.
create or replace function afterpush.add_to_rollup_values(deltas afterpush.rollup_values[]) returns void
language plpgsql
as $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_values as r
        select
            app_id, verified, anchor_hour, campaign_id, variant, category_id, platform, app_version, currency, is_sent,
            is_confirmed, device_bucket, sum(deliveries), sum(value), sum(squares)
        from unnest(deltas)
        group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        having sum(deliveries) <> 0
            or sum(value) <> 0
            or sum(squares) <> 0
        order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
        on conflict (
            app_id, verified, anchor_hour, campaign_id, variant, category_id, platform, app_version, currency, is_sent,
            is_confirmed, device_bucket
        ) do update set
            deliveries = r.deliveries + excluded.deliveries,
            value = r.value + excluded.value,
            squares = r.squares + excluded.squares
        returning r.ctid as stored_row, r.deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_values where ctid = any (emptied);
    end if;
end
$$;
comment on function afterpush.add_to_rollup_values is 'Adds deltas to rollup_values.';
