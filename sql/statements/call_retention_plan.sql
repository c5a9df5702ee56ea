-- What retention would delete at the moment.
-- $1, $2, $3: retention periods of events, deliveries and rejected events in seconds; null keeps them.
-- Returns a row per item: what, item, number of rows.
select what, item, affected
from afterpush.retention_plan(make_interval(secs => $1), make_interval(secs => $2), make_interval(secs => $3))
