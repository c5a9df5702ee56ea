-- Which of some events may not be stored.
-- $1: app_ids. $2: device_ids. $3: times.
-- Returns a row per suppressed event: its position, from 1, and whether it is too late; if not, its device was erased.
select place, is_late
from afterpush.suppressed_events($1, $2, $3)
