-- Stores the spool status of a collector.
-- $1: text that identifies the spool. $2: number of events in it. $3: when the oldest one arrived; null if it is empty.
-- $4: whether the collector stops.
insert into afterpush.spools (collector, events, oldest_at, is_closed, reported_at)
values (md5($1::text)::uuid, $2::bigint, $3::timestamptz, $4::boolean and $2::bigint = 0, clock_timestamp())
on conflict (collector) do update set
    events = excluded.events,
    oldest_at = excluded.oldest_at,
    is_closed = excluded.is_closed,
    reported_at = excluded.reported_at
