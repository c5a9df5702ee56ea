-- Decides where waiting reply texts belong, at most $1, after the key of $2 (delivery), $3
-- (event) and $4 (time), which are null at first.
-- Returns the key of the last of them; no row if no text is left.
select delivery_id, event_id, device_time
from afterpush.decide_waiting_page($1, $2, $3, $4)
