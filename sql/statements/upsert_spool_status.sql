-- Tells that $2 events wait in the spool of the collector named $1 (any text), the oldest since $3 (null: none).
insert into afterpush.spools (collector, events, oldest_at, reported_at)
values (md5($1::text)::uuid, $2::bigint, $3::timestamptz, clock_timestamp())
on conflict (collector) do update set
    events = excluded.events,
    oldest_at = excluded.oldest_at,
    reported_at = excluded.reported_at
