-- Sessions of the dashboard: which browser signed in with which key, and until when. In the database, so that they hold
-- with every collector and outlive a restart.

create table afterpush.sessions (
    session_hash bytea primary key check (octet_length(session_hash) = 32),
    key_id integer not null references afterpush.api_keys,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
);
create index on afterpush.sessions (key_id, created_at);
create index on afterpush.sessions (expires_at);
comment on table afterpush.sessions is 'Browsers that are signed in to the dashboard. A session reads what its key reads, and ends with it.';
comment on column afterpush.sessions.session_hash is 'SHA-256 of the cookie''s value, which is never stored.';
comment on column afterpush.sessions.key_id is 'The key that it was begun with.';
comment on column afterpush.sessions.created_at is 'When it was begun.';
comment on column afterpush.sessions.expires_at is 'When it ends by itself.';
alter table afterpush.sessions enable row level security;
create policy serve on afterpush.sessions to afterpush_ingest using (true) with check (true);
-- Update, because rows are locked before they are deleted, so that two who tidy up don't wait for each other.
grant select, insert, update, delete on afterpush.sessions to afterpush_ingest;
