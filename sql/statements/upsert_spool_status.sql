-- Stores the spool status of a collector.
-- $1: text that identifies the spool. $2: number of events in it. $3: when the oldest one arrived; null if it is empty.
insert into afterpush.spools (collector, events, oldest_at, reported_at)
values (md5($1::text)::uuid, $2::bigint, $3::timestamptz, clock_timestamp())
on conflict (collector) do update set
    events = excluded.events,
    oldest_at = excluded.oldest_at,
    reported_at = excluded.reported_at
