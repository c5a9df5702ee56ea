-- Locks the row of an app until the transaction ends, so that changes of its declarations and secrets take turns. The
-- lock does not block transactions that store events.
-- $1: app_id.
select
from afterpush.apps
where app_id = $1
for no key update
