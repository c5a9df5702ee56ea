-- Closes the status of spools whose collectors were killed, and which are empty by now.
-- $1: texts that identify the spools. $2: whether they can't be in use; if they could, one that has reported within a minute is.
update afterpush.spools
set events = 0, oldest_at = null, is_closed = true
where collector in (select md5(s.spool)::uuid from unnest($1::text[]) as s (spool))
  and not is_closed
  and ($2::boolean or reported_at < clock_timestamp() - interval '1 minute')
