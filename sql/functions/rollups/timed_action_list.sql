-- The part of timed_actions for any number of actions; see there.
create or replace function afterpush.timed_action_list(
    actions afterpush.delivery_action[], reached_at timestamptz, verified_reached_at timestamptz
) returns afterpush.timed_actions
language sql immutable parallel safe
return (
    select
        row(
            array_agg(a.action_id),
            array_agg(afterpush.time_bucket(least(a.unverified_first_at, a.verified_first_at) - reached_at)),
            array_agg(a.unverified_events + a.verified_events),
            array_agg(afterpush.time_bucket(a.verified_first_at - verified_reached_at)),
            array_agg(a.verified_events)
        )::afterpush.timed_actions
    from unnest(actions) as a
);
comment on function afterpush.timed_action_list is
    'The actions of a delivery with their time buckets, for several actions.';
