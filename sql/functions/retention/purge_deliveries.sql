-- Deletes deliveries of sealed hours in some blocks of the table.
--
-- cutoff: only deliveries anchored before it; first_block, block_count: the blocks.
-- Returns how many it deleted; null if the table ends before first_block.
--
-- A delivery is kept while it has events or replies. Without it, erasure would not find its replies, and retention
-- would not know their category. But unverified ones, which anybody can add, must make no difference to what later verified
-- events count: if it has no others left, it loses what verified events said of it, so that the next verified event finds
-- it as if it had been deleted (merge_batches).
create or replace function afterpush.purge_deliveries(cutoff timestamptz, first_block bigint, block_count integer)
returns bigint
language plpgsql
as $$
declare
    sealed timestamptz;
    purged bigint;
begin
    if first_block >= pg_relation_size('afterpush.deliveries') / current_setting('block_size')::integer then
        return null;
    end if;
    sealed := afterpush.lock_all_merges();
    with expired as materialized (
        select
            d.ctid as stored_row, d.delivery_id,
            exists (select from afterpush.events as e where e.delivery_id = d.delivery_id)
            or exists (select from afterpush.replies as r where r.delivery_id = d.delivery_id)
            or exists (select from afterpush.waiting_replies as r where r.delivery_id = d.delivery_id) as is_kept
        from afterpush.deliveries as d
        where d.ctid >= format('(%s,0)', first_block)::tid
          and d.ctid < format('(%s,0)', first_block + block_count)::tid
          and afterpush.anchor_hour(d.verified_sent_at, d.receipt_issued_at, d.first_event_at) < least(cutoff, sealed)
    ),
    purged_deliveries as (
        delete from afterpush.deliveries as d
        using expired as x
        where d.ctid = x.stored_row
          and not x.is_kept
        returning d.delivery_id
    ),
    unverified as (
        update afterpush.deliveries as d
        set verified_kinds = 0,
            verified_sent_at = null,
            verified_confirmed_at = null,
            verified_responded_at = null,
            verified_converted_at = null,
            verified_failed_at = null,
            verified_replaced_at = null,
            receipt_issued_at = null,
            -- The anchor stays.
            first_event_at = afterpush.anchor_at(verified_sent_at, receipt_issued_at, first_event_at),
            platform_source_rank = afterpush.unverified_source_rank(platform_source_rank),
            app_version_source_rank = afterpush.unverified_source_rank(app_version_source_rank),
            campaign_source_rank = afterpush.unverified_source_rank(campaign_source_rank),
            category_source_rank = afterpush.unverified_source_rank(category_source_rank),
            fallbacks = null,
            actions = afterpush.unverified_actions(actions)
        from expired as x
        where d.ctid = x.stored_row
          and x.is_kept
          and d.verified_kinds <> 0
          and not exists (select from afterpush.events as e where e.delivery_id = d.delivery_id and e.verified)
          and not exists (select from afterpush.replies as r where r.delivery_id = d.delivery_id and r.verified)
          and not exists (
              select from afterpush.waiting_replies as r where r.delivery_id = d.delivery_id and r.verified
          )
          and not exists (select from afterpush.event_upgrades as u where u.delivery_id = d.delivery_id)
        returning d.delivery_id
    ),
    expired_ids as (
        select delivery_id from purged_deliveries
        union all
        select delivery_id from unverified
    ),
    purged_marks as (
        delete from afterpush.late_deliveries as l using expired_ids as p where l.delivery_id = p.delivery_id
    ),
    purged_values as (
        delete from afterpush.delivery_values as v using expired_ids as p where v.delivery_id = p.delivery_id
    )
    select count(*) into purged from purged_deliveries;
    update afterpush.retention_deletions set steps = steps + 1 where what = 'deliveries' and purged > 0;
    return purged;
end
$$;
comment on function afterpush.purge_deliveries is
    'Deletes deliveries of sealed hours without events and replies, in some blocks of the table; returns how many. Those that '
    'only unverified ones keep lose what verified events said.';
