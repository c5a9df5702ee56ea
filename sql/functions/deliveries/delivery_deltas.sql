create or replace function afterpush.delivery_deltas(
    "only" bigint[], without bigint[], "from" uuid default null, "to" uuid default null
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
        min(occurred_at),
        min(occurred_at) filter (where bit = 1),
        min(receipt_issued_at),
        min(occurred_at) filter (where bit = 4),
        min(occurred_at) filter (where bit & 480 <> 0),
        min(occurred_at) filter (where verified and bit = 1),
        min(occurred_at) filter (where verified and bit = 4),
        min(occurred_at) filter (where verified and bit & 480 <> 0),
        min(notification_id),
        min(device_id),
        array_agg(row(
            action_identifier, occurred_at, 1, case when verified then occurred_at end, verified::integer
        )::afterpush.delivery_action) filter (where bit & 192 <> 0),
        array_agg(afterpush.hour_of(occurred_at)),
        array_agg(bit * 2 + verified::integer)
    from (
        select
            *,
            afterpush.kind_bit(kind) as bit,
            case kind when 'sent' then '1' when 'delivered' then '2' else '3' end as source_rank
        from afterpush.events
        where ("only" is null or batch_id = any ("only"))
          and (without is null or batch_id <> all (without))
          and kind < 'token_registered'
          and ("from" is null or delivery_id >= "from")
          and ("to" is null or delivery_id < "to")
    ) as taken
    group by delivery_id
$$;
comment on function afterpush.delivery_deltas is 'Deliveries as the events of some batches tell them.';
