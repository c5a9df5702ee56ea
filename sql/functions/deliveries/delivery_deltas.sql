-- What some events say about their deliveries: one row per delivery, merged by minima and bitwise `or`, so the order,
-- grouping and repetition of events cannot matter.
--
-- only_batches:    the batches whose events are read; null for all.
-- except_batches:  batches whose events are left out; null for none.
-- from_id, to_id:  a range of delivery_ids, the end excluded; null for no bound.
-- only_deliveries: the deliveries whose events are read; null for all.
-- stored_hour:     the hour in which all of them were stored, if the caller knows it: batches are not read then.
--
-- A row per event is aggregated by delivery. Dimensions become attribution keys (see attribution.sql), of which the
-- smallest wins. Actions are only collected here; merged_actions combines those of the same name. So are conversions,
-- because which of them count depends on the anchor. Events about the device alone name no notification and belong to
-- no delivery.
--
-- PostgreSQL inlines this function into its caller: keep it one select without `set`.
create or replace function afterpush.delivery_deltas(
    only_batches bigint[], except_batches bigint[], from_id uuid default null, to_id uuid default null,
    only_deliveries uuid[] default null, stored_hour timestamptz default null
)
returns setof afterpush.delivery_delta
language sql stable
as $$
    select
        delivery_id,
        min(app_id),
        bit_or(bit),
        bit_or(case when verified then bit else 0 end),
        min((source_rank || platform) collate "C"),
        min((source_rank || app_version) collate "C"),
        min(afterpush.attribution_key(source_rank, campaign_id, variant) collate "C"),
        min(afterpush.attribution_key(source_rank, category_id, lpad(category_version::text, 10, '0')) collate "C"),
        coalesce(min(occurred_at) filter (where verified), min(occurred_at)),
        min(occurred_at) filter (where afterpush.is_sent(bit)),
        case
            when bit_or(case when verified then bit else 0 end) <> 0
            then min(receipt_issued_at) filter (where verified)
            else min(receipt_issued_at)
        end,
        min(occurred_at) filter (where afterpush.is_confirmed(bit)),
        min(occurred_at) filter (where afterpush.has_responded(bit)),
        min(occurred_at) filter (where verified and afterpush.is_sent(bit)),
        min(occurred_at) filter (where verified and afterpush.is_confirmed(bit)),
        min(occurred_at) filter (where verified and afterpush.has_responded(bit)),
        min(occurred_at) filter (where kind = 'failed'),
        min(occurred_at) filter (where kind = 'replaced'),
        min(occurred_at) filter (where kind = 'failed' and verified),
        min(occurred_at) filter (where kind = 'replaced' and verified),
        min(notification_id),
        min(device_id),
        array_agg(row(occurred_at, verified)::afterpush.delivery_conversion)
            filter (where afterpush.has_converted_event(bit)),
        array_agg(row(
            action_identifier, case when not verified then occurred_at end, (not verified)::integer,
            case when verified then occurred_at end, verified::integer
        )::afterpush.delivery_action) filter (where afterpush.has_acted(bit)),
        array_agg(afterpush.hour_of(occurred_at)),
        array_agg(afterpush.event_code(bit, verified)),
        max(coalesce(stored_hour, afterpush.hour_of(started_at)))
    from (
        select
            e.*,
            b.started_at,
            afterpush.kind_bit(kind) as bit,
            case kind
                when 'sent' then case when verified then '1' else '4' end
                when 'delivered' then case when verified then '2' else '5' end
                else case when verified then '3' else '6' end
            end as source_rank
        from afterpush.events as e
        left join afterpush.batches as b on b.batch_id = e.batch_id
        where (only_batches is null or e.batch_id = any (only_batches))
          and (except_batches is null or e.batch_id <> all (except_batches))
          and notification_id is not null
          and (from_id is null or delivery_id >= from_id)
          and (to_id is null or delivery_id < to_id)
          and (only_deliveries is null or delivery_id = any (only_deliveries))
    ) as ranked
    group by delivery_id
$$;
comment on function afterpush.delivery_deltas is
    'What the events of some batches say about their deliveries, one row per delivery.';
