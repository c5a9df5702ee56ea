-- Adds deltas to rollup_stored_hours, and deletes the rows that became zero.
create or replace function afterpush.add_to_rollup_stored_hours(deltas afterpush.rollup_stored_hours[]) returns void
language plpgsql
as $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_stored_hours as r
        select app_id, anchor_hour, last_stored_hour, sum(deliveries), sum(timed), sum(negative)
        from unnest(deltas)
        group by 1, 2, 3
        having sum(deliveries) <> 0
            or sum(timed) <> 0
            or sum(negative) <> 0
        order by 1, 2, 3
        on conflict (app_id, anchor_hour, last_stored_hour) do update set
            deliveries = r.deliveries + excluded.deliveries,
            timed = r.timed + excluded.timed,
            negative = r.negative + excluded.negative
        returning r.ctid as stored_row, r.deliveries
    )
    select array_agg(stored_row) into emptied from added where deliveries = 0;

    if emptied is not null then
        delete from afterpush.rollup_stored_hours where ctid = any (emptied);
    end if;
end
$$;
comment on function afterpush.add_to_rollup_stored_hours is 'Adds deltas to rollup_stored_hours.';
