-- The distinct actions of verified events of the deliveries $1.
-- Returns a row per delivery that has any.
select delivery_id, action_identifiers
from afterpush.stored_actions($1)
