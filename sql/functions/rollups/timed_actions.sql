-- The actions of a delivery as the rollups count them: for each, the bucket of the time from when the delivery reached
-- the device, and the number of events; by all events and by the verified ones.
--
-- actions:             the delivery's actions; null for none.
-- reached_at:          its confirmation, else its send; null if it has neither.
-- verified_reached_at: the same by verified events only.
-- Returns null for no actions.
--
-- Most deliveries with actions have one, so that case is an expression that PostgreSQL inlines. The other case needs a
-- query, which it does not inline: it has a function of its own.
create or replace function afterpush.timed_actions(
    actions afterpush.delivery_action[], reached_at timestamptz, verified_reached_at timestamptz
) returns afterpush.timed_actions
language sql immutable parallel safe
return case
    when cardinality(actions) = 1
    then row(
        array[(actions[1]).action_id],
        array[
            afterpush.time_bucket(least((actions[1]).unverified_first_at, (actions[1]).verified_first_at) - reached_at)
        ],
        array[(actions[1]).unverified_events + (actions[1]).verified_events],
        array[afterpush.time_bucket((actions[1]).verified_first_at - verified_reached_at)],
        array[(actions[1]).verified_events]
    )::afterpush.timed_actions
    when actions is not null then afterpush.timed_action_list(actions, reached_at, verified_reached_at)
end;
comment on function afterpush.timed_actions is
    'The actions of a delivery with their time buckets; null for none.';
