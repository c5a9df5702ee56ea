-- The actions of a delivery, one entry per action.
--
-- At most 32 actions are counted by name for the unverified events of a delivery, the smallest names in byte order; the
-- others are counted together as the action (other). The actions of verified events are counted by name, whatever
-- unverified events name; ingest admits 32 of them. Entries hold unverified and verified events apart, so that the
-- order in which they are merged cannot matter.

-- Counts the unverified events of actions after the 32nd as (other).
--
-- actions: one entry per action.
create or replace function afterpush.limited_actions(actions afterpush.delivery_action[])
returns afterpush.delivery_action[]
language sql immutable parallel safe
return (
    select array_agg(
        row(
            action_id, unverified_first_at, unverified_events, verified_first_at, verified_events
        )::afterpush.delivery_action
        order by action_id
    )
    from (
        select
            action_id,
            min(unverified_first_at) as unverified_first_at,
            sum(unverified_events)::integer as unverified_events,
            min(verified_first_at) as verified_first_at,
            sum(verified_events)::integer as verified_events
        from (
            select
                case when is_limited and place > 32 then '(other)' else action_id end as action_id,
                unverified_first_at, unverified_events, null::timestamptz as verified_first_at, 0 as verified_events
            from (
                select
                    a.*,
                    a.unverified_events > 0 and a.action_id <> '(other)' as is_limited,
                    row_number() over (
                        partition by a.unverified_events > 0 and a.action_id <> '(other)' order by a.action_id
                    ) as place
                from unnest(actions) as a
            ) as placed
            union all
            select action_id, null, 0, verified_first_at, verified_events
            from unnest(actions)
        ) as parts
        group by action_id
    ) as merged
    where unverified_events + verified_events > 0
);
comment on function afterpush.limited_actions is
    'The actions of a delivery, with the unverified events of those after the 32nd counted as (other).';

-- The actions of a delivery, as if no event of it were verified.
create or replace function afterpush.unverified_actions(actions afterpush.delivery_action[])
returns afterpush.delivery_action[]
language sql immutable parallel safe
return (
    select array_agg(
        row(
            action_id, least(unverified_first_at, verified_first_at), unverified_events + verified_events, null, 0
        )::afterpush.delivery_action
        order by action_id
    )
    from unnest(actions)
);
comment on function afterpush.unverified_actions is
    'The actions of a delivery, as if no event of it were verified.';

-- Combines the entries of each action into one: the earliest times, and the sums of the events.
--
-- actions: entries in any order, several of which may be of one action.
-- Returns one entry per action, in byte order; null for no entries.
create or replace function afterpush.merged_actions(actions afterpush.delivery_action[])
returns afterpush.delivery_action[]
language sql immutable parallel safe
return (
    select case when cardinality(merged) > 32 then afterpush.limited_actions(merged) else merged end
    from (
        select array_agg(
            row(
                action_id, unverified_first_at, unverified_events, verified_first_at, verified_events
            )::afterpush.delivery_action
            order by action_id
        ) as merged
        from (
            select
                action_id,
                min(unverified_first_at) as unverified_first_at,
                sum(unverified_events)::integer as unverified_events,
                min(verified_first_at) as verified_first_at,
                sum(verified_events)::integer as verified_events
            from unnest(actions) as a
            group by action_id
        ) as entries
    ) as whole
);
comment on function afterpush.merged_actions is 'The actions of a delivery, one entry per action, in byte order.';
