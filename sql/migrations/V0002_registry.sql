-- What a team declares: apps, keys, categories with their versions and actions, campaigns, declared sends.
-- Identifiers that come from outside compare by bytes (collation C) everywhere.

create table afterpush.apps (
    app_id integer generated always as identity primary key,
    name text collate "C" not null unique check (octet_length(name) between 1 and 256),
    text_retention interval not null default interval '90 days',
    report_token uuid not null unique default gen_random_uuid(),
    created_at timestamptz not null default now()
);
comment on table afterpush.apps is 'One row per app: the tenant that keys, events and reports belong to.';
comment on column afterpush.apps.app_id is 'The number that every other table names the app by.';
comment on column afterpush.apps.name is 'The name that commands and reports use.';
comment on column afterpush.apps.text_retention is 'How long reply texts are kept when their category says nothing; 0 keeps none.';
comment on column afterpush.apps.report_token is 'Whoever shows this as the setting afterpush.report_token reads the app''s rows as role afterpush_report.';
comment on column afterpush.apps.created_at is 'When the app was created.';

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

create table afterpush.categories (
    app_id integer not null references afterpush.apps,
    category_id text collate "C" not null check (octet_length(category_id) between 1 and 256),
    version integer not null check (version > 0),
    effective_from timestamptz not null,
    options text[] collate "C" not null default '{}',
    text_retention interval,
    created_at timestamptz not null default now(),
    retired_at timestamptz,
    primary key (app_id, category_id, version)
);
comment on table afterpush.categories is 'One row per version of a notification category.';
comment on column afterpush.categories.app_id is 'The app that declared it.';
comment on column afterpush.categories.category_id is 'The identifier that payloads name in aps.category.';
comment on column afterpush.categories.version is 'From 1; a changed set of actions or options is the next version.';
comment on column afterpush.categories.effective_from is 'In force from the hour of this time; version 1 from the beginning of time.';
comment on column afterpush.categories.options is 'Names of UNNotificationCategoryOptions, sorted.';
comment on column afterpush.categories.text_retention is 'How long reply texts are kept; 0 keeps none; null takes the app''s.';
comment on column afterpush.categories.created_at is 'When this version was put.';
comment on column afterpush.categories.retired_at is 'When the category was left out of a put set; null while it is declared.';

create table afterpush.actions (
    app_id integer not null,
    category_id text collate "C" not null,
    version integer not null,
    action_id text collate "C" not null check (octet_length(action_id) between 1 and 256),
    position integer not null,
    title text not null,
    options text[] collate "C" not null default '{}',
    text_input boolean not null default false,
    button_title text,
    placeholder text,
    goal boolean not null default false,
    primary key (app_id, category_id, version, action_id),
    foreign key (app_id, category_id, version) references afterpush.categories
);
comment on table afterpush.actions is 'One row per action that a category version offers.';
comment on column afterpush.actions.app_id is 'The app that declared it.';
comment on column afterpush.actions.category_id is 'The category that offers it.';
comment on column afterpush.actions.version is 'The version of the category.';
comment on column afterpush.actions.action_id is 'The identifier that responses carry as action_identifier.';
comment on column afterpush.actions.position is 'Its place among the buttons, from 1.';
comment on column afterpush.actions.title is 'The button''s text.';
comment on column afterpush.actions.options is 'Names of UNNotificationActionOptions, sorted.';
comment on column afterpush.actions.text_input is 'Whether the action asks for text.';
comment on column afterpush.actions.button_title is 'The text of the send button, for text input.';
comment on column afterpush.actions.placeholder is 'The placeholder of the text field, for text input.';
comment on column afterpush.actions.goal is 'Whether acting with it is a conversion.';

create table afterpush.campaigns (
    app_id integer not null references afterpush.apps,
    campaign_id text collate "C" not null check (octet_length(campaign_id) between 1 and 256),
    name text not null,
    category_id text collate "C",
    goal_actions text[] collate "C" not null default '{}',
    response_window interval not null default interval '72 hours' check (response_window > interval '0'),
    starts_at timestamptz,
    created_at timestamptz not null default now(),
    archived_at timestamptz,
    primary key (app_id, campaign_id)
);
comment on table afterpush.campaigns is 'One row per declared campaign. Campaigns are archived, never deleted.';
comment on column afterpush.campaigns.app_id is 'The app that declared it.';
comment on column afterpush.campaigns.campaign_id is 'The identifier that sends and payloads carry.';
comment on column afterpush.campaigns.name is 'The name that people read.';
comment on column afterpush.campaigns.category_id is 'The category that its notifications use, if they use one.';
comment on column afterpush.campaigns.goal_actions is 'Actions that count as conversions, besides those of the category version.';
comment on column afterpush.campaigns.response_window is 'An unanswered delivery is closed once this has passed after its anchor hour.';
comment on column afterpush.campaigns.starts_at is 'When the campaign is planned to start.';
comment on column afterpush.campaigns.created_at is 'When it was first put.';
comment on column afterpush.campaigns.archived_at is 'When it was archived; null while it is current.';

create table afterpush.campaign_variants (
    app_id integer not null,
    campaign_id text collate "C" not null,
    variant text collate "C" not null check (octet_length(variant) between 1 and 256),
    weight double precision not null check (weight > 0),
    control boolean not null default false,
    primary key (app_id, campaign_id, variant),
    foreign key (app_id, campaign_id) references afterpush.campaigns
);
comment on table afterpush.campaign_variants is 'One row per variant of a campaign.';
comment on column afterpush.campaign_variants.app_id is 'The app that declared it.';
comment on column afterpush.campaign_variants.campaign_id is 'The campaign.';
comment on column afterpush.campaign_variants.variant is 'The identifier that sends and payloads carry.';
comment on column afterpush.campaign_variants.weight is 'Its share of the deliveries, relative to the other weights.';
comment on column afterpush.campaign_variants.control is 'Whether the other variants are compared with it.';

create table afterpush.sends (
    app_id integer not null references afterpush.apps,
    send_id uuid not null,
    campaign_id text collate "C" not null,
    category_id text collate "C",
    category_version integer,
    variant text collate "C",
    platform text collate "C",
    count bigint not null check (count >= 0),
    failed bigint not null default 0 check (failed >= 0),
    sent_at timestamptz not null,
    received_at timestamptz not null default now(),
    primary key (app_id, send_id)
);
create index on afterpush.sends (app_id, campaign_id);
comment on table afterpush.sends is 'Declared totals, for those who don''t post a sent event per device.';
comment on column afterpush.sends.app_id is 'The app that declared them.';
comment on column afterpush.sends.send_id is 'Idempotency key.';
comment on column afterpush.sends.campaign_id is 'The campaign; all its sends are then taken from this table.';
comment on column afterpush.sends.category_id is 'The category, if it is one.';
comment on column afterpush.sends.category_version is 'The category''s version; null takes the one in force at sent_at.';
comment on column afterpush.sends.variant is 'The variant, if it is one.';
comment on column afterpush.sends.platform is 'The platform, if it is one.';
comment on column afterpush.sends.count is 'Notifications that the provider accepted.';
comment on column afterpush.sends.failed is 'Notifications that the provider refused.';
comment on column afterpush.sends.sent_at is 'When they were sent; its hour is their anchor.';
comment on column afterpush.sends.received_at is 'When the declaration came in.';
