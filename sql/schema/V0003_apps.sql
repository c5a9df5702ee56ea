-- Apps, their API keys, dashboard sessions and receipt secrets.

-- What a team declares: apps, keys, categories with their versions and actions, campaigns, declared sends.
-- Identifiers that come from outside compare by bytes (collation C) everywhere.
create table afterpush.apps (
    app_id integer generated always as identity primary key,
    name text collate "C" not null unique check (octet_length(name) between 1 and 256),
    text_retention interval not null default interval '90 days',
    report_token uuid not null unique default gen_random_uuid(),
    created_at timestamptz not null default now(),
    receipt_policy text not null default 'optional' check (receipt_policy in ('optional', 'required'))
);
comment on table afterpush.apps is 'One row per app: the tenant that keys, events and reports belong to.';
comment on column afterpush.apps.app_id is 'The number that every other table names the app by.';
comment on column afterpush.apps.name is 'The name that commands and reports use.';
comment on column afterpush.apps.text_retention is
    'How long reply texts are kept when their category says nothing; 0 keeps none.';
comment on column afterpush.apps.report_token is
    'Whoever shows this as the setting afterpush.report_token reads the app''s rows as role afterpush_report.';
comment on column afterpush.apps.created_at is 'When the app was created.';
comment on column afterpush.apps.receipt_policy is
    'required: events of deliveries are taken from an ingest key only with a receipt; optional: also without.';
alter table afterpush.apps enable row level security;
create policy report on afterpush.apps for select to afterpush_report using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.apps for select to afterpush_ingest, afterpush_worker using (true);

create table afterpush.api_keys (
    key_id integer generated always as identity primary key,
    app_id integer not null references afterpush.apps,
    key_hash bytea not null unique check (octet_length(key_hash) = 32),
    scope text not null check (scope in ('ingest', 'send', 'read', 'manage')),
    hint text not null,
    created_at timestamptz not null default now(),
    revoked_at timestamptz
);
comment on table afterpush.api_keys is 'One row per API key. The key itself is shown once and never stored.';
comment on column afterpush.api_keys.key_id is 'The number that `afterpush keys revoke` takes.';
comment on column afterpush.api_keys.app_id is 'The app that the key belongs to.';
comment on column afterpush.api_keys.key_hash is 'SHA-256 of the key.';
comment on column afterpush.api_keys.scope is 'ingest, send, read, or manage, which implies the others.';
comment on column afterpush.api_keys.hint is 'The last four characters of the key, to tell keys apart.';
comment on column afterpush.api_keys.created_at is 'When the key was created.';
comment on column afterpush.api_keys.revoked_at is 'When the key was revoked; null while it is good.';
alter table afterpush.api_keys enable row level security;
create policy report on afterpush.api_keys for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.api_keys to afterpush_ingest, afterpush_worker using (true) with check (true);

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
comment on table afterpush.sessions is
    'Browsers that are signed in to the dashboard. A session reads what its key reads, and ends with it.';
comment on column afterpush.sessions.session_hash is 'SHA-256 of the cookie''s value, which is never stored.';
comment on column afterpush.sessions.key_id is 'The key that it was begun with.';
comment on column afterpush.sessions.created_at is 'When it was begun.';
comment on column afterpush.sessions.expires_at is 'When it ends by itself.';
alter table afterpush.sessions enable row level security;
create policy serve on afterpush.sessions to afterpush_ingest using (true) with check (true);

create table afterpush.receipt_secrets (
    secret_id integer generated always as identity primary key,
    app_id integer not null references afterpush.apps,
    -- Made here, so that it stands in no statement: three random UUIDs hold 366 random bits, more than the digest keeps.
    secret bytea not null
        default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
        check (octet_length(secret) = 32),
    created_at timestamptz not null default now(),
    retired_at timestamptz
);
create unique index on afterpush.receipt_secrets (app_id) where retired_at is null;
create index on afterpush.receipt_secrets (app_id);
comment on table afterpush.receipt_secrets is 'The keys that an app''s receipts are signed with (HMAC-SHA-256).';
comment on column afterpush.receipt_secrets.secret_id is 'Its number, oldest first.';
comment on column afterpush.receipt_secrets.app_id is 'The app whose receipts it signs.';
comment on column afterpush.receipt_secrets.secret is
    'Its 32 random bytes. Whoever has them can make receipts of the app.';
comment on column afterpush.receipt_secrets.created_at is 'When it was made.';
comment on column afterpush.receipt_secrets.retired_at is
    'Until when it still verifies; null for the one that is handed out.';
alter table afterpush.receipt_secrets enable row level security;
create policy serve on afterpush.receipt_secrets for select to afterpush_ingest using (true);
