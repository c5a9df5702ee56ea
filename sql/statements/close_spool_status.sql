-- Closes the status of a spool whose collector was killed, after another one has taken over what was in it.
-- $1: text that identifies the spool. One whose collector reports is in use again.
update afterpush.spools
set events = 0, oldest_at = null, is_closed = true
where collector = md5($1::text)::uuid
  and not is_closed
  and reported_at < clock_timestamp() - interval '1 minute'
