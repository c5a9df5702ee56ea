-- Records that retention ran to its end.
update afterpush.retention_state
set last_run_at = now()
