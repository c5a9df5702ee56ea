-- Apps, their API keys, dashboard sessions, receipt secrets, and what opens an app's rows to reports.
--
-- Identifiers that come from outside have collation C everywhere: they compare by bytes, so that no locale decides
-- which two are equal or which one is smaller.

create table afterpush.apps (
    app_id integer generated always as identity primary key,
    name text collate "C" not null unique check (octet_length(name) between 1 and 256),
    text_retention interval not null default interval '90 days',
    created_at timestamptz not null default now(),
    receipt_policy text not null default 'optional' check (receipt_policy in ('optional', 'required')),
    -- Generated here so that the key appears in no statement, as in receipt_secrets.
    event_id_key bytea not null
        default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
        check (octet_length(event_id_key) = 32)
);
comment on table afterpush.apps is 'One row per app, the tenant that keys, events, declarations and reports belong to.';
comment on column afterpush.apps.app_id is 'Number that identifies the app in every other table.';
comment on column afterpush.apps.name is 'Name that commands and reports use for the app, 1 to 256 bytes.';
comment on column afterpush.apps.text_retention is
    'How long reply texts are kept if their category states nothing; 0 keeps none.';
comment on column afterpush.apps.created_at is 'When the app was created.';
comment on column afterpush.apps.receipt_policy is
    'required: an ingest key can post events of deliveries only with a valid receipt bound to the device; optional: '
    'also without one.';
comment on column afterpush.apps.event_id_key is
    '32 random bytes. Event ids that the collector derives from content are HMACs with this key, so that only the '
    'app''s server can make them.';
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
comment on table afterpush.api_keys is 'One row per API key, revoked ones included; the key itself is never stored.';
comment on column afterpush.api_keys.key_id is 'Number that `afterpush keys revoke` takes.';
comment on column afterpush.api_keys.app_id is 'App that the key belongs to.';
comment on column afterpush.api_keys.key_hash is 'SHA-256 of the key.';
comment on column afterpush.api_keys.scope is 'ingest, send, read, or manage, which implies the other three.';
comment on column afterpush.api_keys.hint is 'Last four characters of the key, so that people can tell keys apart.';
comment on column afterpush.api_keys.created_at is 'When the key was created.';
comment on column afterpush.api_keys.revoked_at is 'When the key was revoked; null while it is valid.';
alter table afterpush.api_keys enable row level security;
create policy report on afterpush.api_keys for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.api_keys to afterpush_ingest, afterpush_worker using (true) with check (true);

-- Sessions are in the database so that they are valid with every collector and survive restarts.
create table afterpush.sessions (
    session_hash bytea primary key check (octet_length(session_hash) = 32),
    key_id integer not null references afterpush.api_keys,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
);
create index on afterpush.sessions (key_id, created_at);
create index on afterpush.sessions (expires_at);
comment on table afterpush.sessions is
    'One row per browser that is signed in to the dashboard, with the rights of the key it signed in with.';
comment on column afterpush.sessions.session_hash is
    'SHA-256 of the session cookie; the cookie itself is never stored.';
comment on column afterpush.sessions.key_id is 'API key used to sign in; revoking the key ends the session.';
comment on column afterpush.sessions.created_at is 'When the browser signed in.';
comment on column afterpush.sessions.expires_at is 'When the session expires.';
alter table afterpush.sessions enable row level security;
create policy serve on afterpush.sessions to afterpush_ingest using (true) with check (true);

create table afterpush.receipt_secrets (
    secret_id integer generated always as identity primary key,
    app_id integer not null references afterpush.apps,
    -- Generated here so that the secret appears in no statement, hence in no log. Three random UUIDs hold 366 random
    -- bits, more than the 256 that the digest keeps.
    secret bytea not null
        default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
        check (octet_length(secret) = 32),
    created_at timestamptz not null default now(),
    retired_at timestamptz
);
-- An app has one current secret.
create unique index on afterpush.receipt_secrets (app_id) where retired_at is null;
create index on afterpush.receipt_secrets (app_id);
comment on table afterpush.receipt_secrets is 'Secrets that sign and verify the receipts of an app (HMAC-SHA-256).';
comment on column afterpush.receipt_secrets.secret_id is 'Number of the secret; later secrets have higher numbers.';
comment on column afterpush.receipt_secrets.app_id is 'App whose receipts the secret signs.';
comment on column afterpush.receipt_secrets.secret is
    '32 random bytes; whoever has them can forge receipts of the app.';
comment on column afterpush.receipt_secrets.created_at is 'When the secret was created.';
comment on column afterpush.receipt_secrets.retired_at is
    'When the secret stops verifying receipts; null for the app''s current secret.';
alter table afterpush.receipt_secrets enable row level security;
create policy serve on afterpush.receipt_secrets for select to afterpush_ingest using (true);

-- The two tables that report_app reads. Nobody but the owner can read or change them.
create table afterpush.report_logins (
    login name primary key,
    -- The number as well, so that a later login with the same name doesn't inherit the app of one that was dropped.
    role_id oid not null,
    app_id integer not null references afterpush.apps
);
comment on table afterpush.report_logins is
    'Logins of dashboards, each with the app whose rows it can read (dashboards/grafana/role.sql).';
comment on column afterpush.report_logins.login is 'Name of the login.';
comment on column afterpush.report_logins.role_id is 'Number of the login in pg_roles.';
comment on column afterpush.report_logins.app_id is 'App whose rows the login can read.';
alter table afterpush.report_logins enable row level security;

create table afterpush.report_secret (
    -- Generated here so that the secret appears in no statement, as in receipt_secrets.
    secret bytea not null
        default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
        check (octet_length(secret) = 32)
);
create unique index on afterpush.report_secret ((true));
comment on table afterpush.report_secret is
    'The one secret that signs which app a transaction of the collector reads; see report_claim.';
comment on column afterpush.report_secret.secret is '32 random bytes.';
alter table afterpush.report_secret enable row level security;

insert into afterpush.report_secret default values;
