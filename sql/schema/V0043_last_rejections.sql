-- An erasure ends although rejected events of its app keep coming.
alter table afterpush.erasures add column rejected_until bigint;
comment on column afterpush.erasures.rejected_until is
    'The last rejected event that a collector may have stored without knowing of the erasure; null until two seconds after '
    'the request.';
