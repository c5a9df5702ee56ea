-- Combines the entries of each action into one: the earliest times, and the sums of the events.
--
-- actions: entries in any order, several of which may be of one action.
-- Returns one entry per action, in byte order; null for no entries.
create or replace function afterpush.merged_actions(actions afterpush.delivery_action[])
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
        from unnest(actions) as a
        group by action_id
    ) as merged
);
comment on function afterpush.merged_actions is 'The actions of a delivery, one entry per action, in byte order.';
