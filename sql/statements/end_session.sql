-- Ends a dashboard session.
-- $1: SHA-256 of the session cookie.
delete from afterpush.sessions
where session_hash = $1
