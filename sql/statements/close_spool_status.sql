-- Closes the status of a spool whose collector was killed, and which is empty by now.
-- $1: text that identifies the spool. $2: whether it can't be in use; if it could, one that has reported within a minute is.
update afterpush.spools
set events = 0, oldest_at = null, is_closed = true
where collector = md5($1::text)::uuid
  and not is_closed
  and ($2::boolean or reported_at < clock_timestamp() - interval '1 minute')
