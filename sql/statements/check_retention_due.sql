-- Whether retention last ran more than a day ago.
select last_run_at < now() - interval '1 day'
from afterpush.retention_state
