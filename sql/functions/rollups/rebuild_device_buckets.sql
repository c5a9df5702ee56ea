-- Recomputes the rollups of device buckets for days that are not sealed.
--
-- sealed: the start of the hours that are not sealed. A day that began before it stays as it is, because some of its
-- deliveries may be gone, and these rollups have no hours.
create or replace function afterpush.rebuild_device_buckets(sealed timestamptz) returns void
language plpgsql
as $$
begin
    perform afterpush.settle_device_changes(null);
    perform afterpush.settle_device_changes(null, a.app_id) from afterpush.apps_merged_apart as a;
    create temporary table fresh_device_buckets (like afterpush.rollup_device_buckets) on commit drop;
    insert into pg_temp.fresh_device_buckets
    select * from afterpush.expected_device_buckets where anchor_day >= sealed;
    perform afterpush.replace_rows(
        'afterpush.rollup_device_buckets', 'pg_temp.fresh_device_buckets', format('anchor_day >= %L', sealed)
    );
    delete from afterpush.rollup_device_bucket_totals where anchor_day >= sealed;
    insert into afterpush.rollup_device_bucket_totals
    select * from afterpush.summed_device_buckets where anchor_day >= sealed;
end
$$;
comment on function afterpush.rebuild_device_buckets is
    'Recomputes the rollups of device buckets for days that are not sealed.';
