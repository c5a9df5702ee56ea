-- Links that share one view of the dashboard with people who have no key.

create table afterpush.shares (
    share_id integer generated always as identity primary key,
    app_id integer not null references afterpush.apps,
    key_id integer references afterpush.api_keys,
    token_hash bytea not null unique check (octet_length(token_hash) = 32),
    name text not null check (octet_length(name) <= 256),
    view text not null check (octet_length(view) between 1 and 2048),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null check (expires_at <= created_at + interval '90 days')
);
create index on afterpush.shares (app_id);
create index on afterpush.shares (key_id);
comment on table afterpush.shares is
    'One row per link that shares a view of the dashboard. Revoked ones are deleted, expired ones with the next new one.';
comment on column afterpush.shares.share_id is 'Number that `afterpush shares revoke` takes.';
comment on column afterpush.shares.app_id is 'App whose numbers the link shows.';
comment on column afterpush.shares.key_id is
    'API key that created the link, whose revocation ends it; null if the command line did.';
comment on column afterpush.shares.token_hash is 'SHA-256 of the token in the link; the token itself is never stored.';
comment on column afterpush.shares.name is 'What the link is for, for those who list links; can be empty.';
comment on column afterpush.shares.view is 'Address of the page with its filters; the link shows nothing else.';
comment on column afterpush.shares.created_at is 'When the link was created.';
comment on column afterpush.shares.expires_at is 'When the link ends, at most 90 days after it was created.';
alter table afterpush.shares enable row level security;
create policy serve on afterpush.shares for select to afterpush_ingest using (true);
