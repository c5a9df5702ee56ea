-- Whether a device is being erased, or was erased since $1, a time as text; null for no such time.
-- Returns this, and the time at which it holds, as text.
select
    exists (select from afterpush.erasures where finished_at is null or finished_at >= $1::timestamptz),
    now()::text
