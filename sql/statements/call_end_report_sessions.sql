-- Ends sessions of dashboards' logins whose transaction or statement is too old, and of those that write or wait for a
-- lock of owners.
-- $1: the oldest age in seconds.
-- Returns a row per ended session: its login, and the age in seconds, null if a write or a lock was the reason.
select login, age_seconds
from afterpush.end_report_sessions(make_interval(secs => $1))
