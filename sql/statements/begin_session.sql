-- Starts a dashboard session, and deletes expired sessions and all but the newest 999 of the same key.
-- $1: SHA-256 of the session cookie. $2: key_id of the API key. $3: lifetime in seconds.
-- Returns when the session expires, in microseconds since 1970; no row if the key does not exist or is revoked.
with deleted as (
    delete from afterpush.sessions
    where session_hash in (
        select session_hash
        from afterpush.sessions
        where expires_at < now()
           or session_hash in (
               select session_hash
               from afterpush.sessions
               where key_id = $2
               order by created_at desc
               offset 999
           )
        -- Two sessions that start at the same time don't wait for each other.
        for update skip locked
    )
)
insert into afterpush.sessions (session_hash, key_id, expires_at)
select $1, k.key_id, now() + make_interval(secs => $3)
from afterpush.api_keys as k
where k.key_id = $2
  and k.revoked_at is null
returning (extract(epoch from expires_at) * 1000000)::bigint
