-- Whether an erasure was requested since $1, a time as text.
select exists (select from afterpush.erasures where requested_at >= $1::timestamptz)
