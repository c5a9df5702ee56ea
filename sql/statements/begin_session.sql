-- Begins a session, whose token has the SHA-256 $1, with key $2, for $3 seconds; no row if the key is not good.
-- Takes away what has ended, and of the key's own the oldest beyond 1,000.
-- Returns when it ends, in microseconds since 1970.
with gone as (
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
        for update skip locked
    )
)
insert into afterpush.sessions (session_hash, key_id, expires_at)
select $1, k.key_id, now() + make_interval(secs => $3)
from afterpush.api_keys as k
where k.key_id = $2
  and k.revoked_at is null
returning (extract(epoch from expires_at) * 1000000)::bigint
