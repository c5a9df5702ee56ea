create or replace aggregate afterpush.concatenated(afterpush.delivery_action[]) (
    sfunc = array_cat,
    stype = afterpush.delivery_action[]
);
comment on aggregate afterpush.concatenated(afterpush.delivery_action[]) is 'Arrays of actions, one after another.';

-- One set of actions of a delivery: one element per action, earliest times, summed events, in byte order.
create or replace function afterpush.merged_actions(told afterpush.delivery_action[])
returns afterpush.delivery_action[]
language sql immutable parallel safe
return (
    select array_agg(
        row(action_id, first_at, events, verified_first_at, verified_events)::afterpush.delivery_action
        order by action_id
    )
    from (
        select
            action_id,
            min(first_at) as first_at,
            sum(events)::integer as events,
            min(verified_first_at) as verified_first_at,
            sum(verified_events)::integer as verified_events
        from unnest(told) as t
        group by action_id
    ) as merged
);
comment on function afterpush.merged_actions is
    'One set of actions of a delivery: one element per action, in byte order.';
