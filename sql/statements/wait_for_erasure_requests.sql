-- Waits until the erasures that are being requested are committed (request_erasure holds this lock).
-- Returns the time, as text: erasures that no later snapshot has were requested after it.
select clock_timestamp()::text
from afterpush.retention_state
for share
