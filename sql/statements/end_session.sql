-- Ends the session whose token has the SHA-256 $1.
delete from afterpush.sessions
where session_hash = $1
