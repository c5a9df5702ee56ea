-- Retention.

-- As before, but a delivery is kept as long as the texts of its replies: without it, erasure would not find them, nor
-- retention their category.
create or replace function afterpush.purge_deliveries(before timestamptz, first bigint, blocks integer) returns bigint
language plpgsql
as $$
declare
    sealed timestamptz;
    purged bigint;
begin
    if first >= pg_relation_size('afterpush.deliveries') / current_setting('block_size')::integer then
        return null;
    end if;
    select sealed_before into sealed from afterpush.rollup_worker for update;
    with purged_ones as (
        delete from afterpush.deliveries as d
        where d.ctid >= format('(%s,0)', first)::tid
          and d.ctid < format('(%s,0)', first + blocks)::tid
          and afterpush.anchor_hour(d.sent_at, d.receipt_issued_at, d.first_event_at) < least(before, sealed)
          and not exists (select from afterpush.events as e where e.delivery_id = d.delivery_id)
          and not exists (select from afterpush.replies as r where r.delivery_id = d.delivery_id)
        returning d.delivery_id
    ),
    marks as (
        delete from afterpush.late_deliveries using purged_ones where late_deliveries.delivery_id = purged_ones.delivery_id
    )
    select count(*) into purged from purged_ones;
    return purged;
end
$$;
comment on function afterpush.purge_deliveries is
    'Deletes old deliveries of sealed hours that have no events any more, in some blocks of the table.';
