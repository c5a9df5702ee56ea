-- Signed receipts: the secrets of each app, and whether its devices must show a receipt. Sends over HTTP.

alter table afterpush.apps
    add column receipt_policy text not null default 'optional' check (receipt_policy in ('optional', 'required'));
comment on column afterpush.apps.receipt_policy is 'required: events of deliveries are taken from an ingest key only with a receipt; optional: also without.';

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
comment on column afterpush.receipt_secrets.secret is 'Its 32 random bytes. Whoever has them can make receipts of the app.';
comment on column afterpush.receipt_secrets.created_at is 'When it was made.';
comment on column afterpush.receipt_secrets.retired_at is 'Until when it still verifies; null for the one that is handed out.';

insert into afterpush.receipt_secrets (app_id)
select app_id
from afterpush.apps
order by app_id;

alter table afterpush.receipt_secrets enable row level security;
create policy serve on afterpush.receipt_secrets for select to afterpush_ingest using (true);
grant select (app_id, secret_id, secret, created_at, retired_at) on afterpush.receipt_secrets to afterpush_ingest;
grant select (receipt_policy) on afterpush.apps to afterpush_ingest;

-- POST /v1/sends adds, as events do.
grant insert on afterpush.sends to afterpush_ingest;
grant select (app_id, send_id) on afterpush.sends to afterpush_ingest;
