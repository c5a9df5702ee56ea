-- Gives events whose sender states no time the time of their first arrival, also if another collector is still storing it.
-- $1: app_id. $2: the ids under which the times are kept (column event_id of event_arrivals). $3: the times that the events
-- have if they did not arrive before. $4: for how many seconds a repetition is expected that finds nothing stored. $2 to $4
-- are arrays of the same length, and no event is in them twice.
-- $5: delivery_ids. $6: event_ids. $7: the earliest times. $9: their ids in $2. $10: whether the event is proven, so that
-- only a verified one can be the same. $5 to $7, $9 and $10 are arrays of the same length, with each delivery that an event can
-- belong to. $8: the earliest of the times, which keeps older partitions out.
-- Returns each id of $2 and its time.
with expired as (
    delete from afterpush.event_arrivals
    where ctid = any (
        array(
            select ctid
            from afterpush.event_arrivals
            where expires_at < now()
            limit 2 * cardinality($2::uuid[])
            for update skip locked
        )
    )
    -- What arrives again is replaced below, and a statement must not change a row twice.
    and not (app_id = $1 and event_id = any ($2::uuid[]))
),
claimed as (
    insert into afterpush.event_arrivals as known (app_id, event_id, device_time, expires_at)
    select $1, a.event_id, a.device_time, now() + make_interval(secs => a.seconds)
    from unnest($2::uuid[], $3::timestamptz[], $4::bigint[]) as a (event_id, device_time, seconds)
    -- In one order, so that two requests with the same events don't wait for each other.
    order by a.event_id
    on conflict (app_id, event_id) do update set
        device_time = case when known.expires_at > now() then known.device_time else excluded.device_time end,
        expires_at = case when known.expires_at > now() then known.expires_at else excluded.expires_at end
    returning event_id, device_time
),
stored as (
    select a.claim_id as event_id, e.device_time
    from unnest($5::uuid[], $6::uuid[], $7::timestamptz[], $9::uuid[], $10::boolean[])
        as a (delivery_id, event_id, since, claim_id, is_proven)
    cross join lateral (
        select e.device_time
        from afterpush.events as e
        where e.app_id = $1
          and e.delivery_id = a.delivery_id
          and e.event_id = a.event_id
          and (e.verified or not a.is_proven)
          and e.device_time >= a.since
          and e.device_time >= $8
        order by e.device_time
        limit 1
    ) as e
)
select event_id, coalesce(s.device_time, c.device_time)
from claimed as c
left join stored as s using (event_id)
