-- What teams declare: categories with their actions, campaigns with their variants, sends. And the names that events use
-- without a declaration, and the definitions of report columns.

create table afterpush.categories (
    app_id integer not null references afterpush.apps,
    category_id text collate "C" not null check (octet_length(category_id) between 1 and 256),
    version integer not null check (version > 0),
    effective_from timestamptz not null,
    options text[] collate "C" not null default '{}',
    text_retention interval,
    created_at timestamptz not null default now(),
    retired_at timestamptz,
    min_app_version text collate "C",
    intent_identifiers text[] not null default '{}',
    primary key (app_id, category_id, version)
);
comment on table afterpush.categories is 'One row per version of a notification category.';
comment on column afterpush.categories.app_id is 'The app that declared it.';
comment on column afterpush.categories.category_id is 'The identifier that payloads name in aps.category.';
comment on column afterpush.categories.version is
    'From 1; a changed set of actions or options is the next version.';
comment on column afterpush.categories.effective_from is
    'In force from the hour of this time; version 1 from the beginning of time.';
comment on column afterpush.categories.options is 'Names of UNNotificationCategoryOptions, sorted.';
comment on column afterpush.categories.text_retention is
    'How long reply texts are kept; 0 keeps none; null takes the app''s.';
comment on column afterpush.categories.created_at is 'When this version was put.';
comment on column afterpush.categories.retired_at is
    'When the category was left out of a put set; null while it is declared.';
comment on column afterpush.categories.min_app_version is
    'The first version of the app that can handle the category; null: any can.';
comment on column afterpush.categories.intent_identifiers is
    'Identifiers of the intents that its notifications go with.';
alter table afterpush.categories enable row level security;
create policy report on afterpush.categories for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.categories to afterpush_ingest, afterpush_worker using (true) with check (true);

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
    min_app_version text collate "C",
    primary key (app_id, category_id, version, action_id),
    foreign key (app_id, category_id, version) references afterpush.categories
);
create index actions_by_name on afterpush.actions (app_id, action_id);
comment on table afterpush.actions is 'One row per action that a category version offers.';
comment on column afterpush.actions.app_id is 'The app that declared it.';
comment on column afterpush.actions.category_id is 'The category that offers it.';
comment on column afterpush.actions.version is 'The version of the category.';
comment on column afterpush.actions.action_id is 'The identifier that responses carry as action_identifier.';
comment on column afterpush.actions."position" is 'Its place among the buttons, from 1.';
comment on column afterpush.actions.title is 'The button''s text.';
comment on column afterpush.actions.options is 'Names of UNNotificationActionOptions, sorted.';
comment on column afterpush.actions.text_input is 'Whether the action asks for text.';
comment on column afterpush.actions.button_title is 'The text of the send button, for text input.';
comment on column afterpush.actions.placeholder is 'The placeholder of the text field, for text input.';
comment on column afterpush.actions.goal is 'Whether acting with it is a conversion.';
comment on column afterpush.actions.min_app_version is
    'The first version of the app that can handle the action; null: any can.';
alter table afterpush.actions enable row level security;
create policy report on afterpush.actions for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.actions to afterpush_ingest, afterpush_worker using (true) with check (true);

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
comment on column afterpush.campaigns.goal_actions is
    'Actions that count as conversions, besides those of the category version.';
comment on column afterpush.campaigns.response_window is
    'An unanswered delivery is closed once this has passed after its anchor hour.';
comment on column afterpush.campaigns.starts_at is 'When the campaign is planned to start.';
comment on column afterpush.campaigns.created_at is 'When it was first put.';
comment on column afterpush.campaigns.archived_at is 'When it was archived; null while it is current.';
alter table afterpush.campaigns enable row level security;
create policy report on afterpush.campaigns for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.campaigns to afterpush_ingest, afterpush_worker using (true) with check (true);

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
comment on column afterpush.campaign_variants.weight is
    'Its share of the deliveries, relative to the other weights.';
comment on column afterpush.campaign_variants.control is 'Whether the other variants are compared with it.';
alter table afterpush.campaign_variants enable row level security;
create policy report on afterpush.campaign_variants for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.campaign_variants to afterpush_ingest, afterpush_worker
    using (true) with check (true);

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
comment on column afterpush.sends.category_version is
    'The category''s version; null takes the one in force at sent_at.';
comment on column afterpush.sends.variant is 'The variant, if it is one.';
comment on column afterpush.sends.platform is 'The platform, if it is one.';
comment on column afterpush.sends.count is 'Notifications that the provider accepted.';
comment on column afterpush.sends.failed is 'Notifications that the provider refused.';
comment on column afterpush.sends.sent_at is 'When they were sent; its hour is their anchor.';
comment on column afterpush.sends.received_at is 'When the declaration came in.';
alter table afterpush.sends enable row level security;
create policy report on afterpush.sends for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.sends to afterpush_ingest, afterpush_worker using (true) with check (true);

-- Names that anybody can make up: how many undeclared ones an app takes. Versions of the app that categories need.
create table afterpush.undeclared_names (
    app_id integer not null references afterpush.apps,
    kind text collate "C" not null
        check (kind in ('campaign', 'variant', 'category', 'category_version', 'action', 'app_version')),
    verified boolean not null,
    parent text collate "C" not null,
    name text collate "C" not null,
    seen_at timestamptz not null default now(),
    primary key (app_id, kind, verified, parent, name)
);
comment on table afterpush.undeclared_names is
    'Names that events stated and nobody had declared, as many as an app takes. Whoever deletes some makes room for others.';
comment on column afterpush.undeclared_names.app_id is 'The app.';
comment on column afterpush.undeclared_names.kind is 'What the name is of.';
comment on column afterpush.undeclared_names.verified is
    'Whether the event was vouched for by a server; these have a quota of their own.';
comment on column afterpush.undeclared_names.parent is
    'The campaign of a variant, the category of a version; else empty.';
comment on column afterpush.undeclared_names.name is 'The name.';
comment on column afterpush.undeclared_names.seen_at is 'When it was first stored.';
alter table afterpush.undeclared_names enable row level security;
create policy report on afterpush.undeclared_names for select to afterpush_report
    using (app_id = (select afterpush.report_app()));

-- What every number means, as data. A changed definition is a new row with the next version.
create table afterpush.metric_definitions (
    name text collate "C" not null,
    version integer not null check (version > 0),
    unit text not null,
    definition text not null,
    numerator text,
    denominator text,
    selection_window text,
    primary key (name, version)
);
comment on table afterpush.metric_definitions is 'What the columns of reports mean.';
comment on column afterpush.metric_definitions.name is
    'The column''s name, or REPORT.COLUMN where it means something else there.';
comment on column afterpush.metric_definitions.version is 'Version of the definition; the highest holds.';
comment on column afterpush.metric_definitions.unit is
    'deliveries, events, ratio, seconds or the like; without one, the type of the value.';
comment on column afterpush.metric_definitions.definition is 'What it says.';
comment on column afterpush.metric_definitions.numerator is 'What is divided, for a rate.';
comment on column afterpush.metric_definitions.denominator is 'By what, for a rate.';
comment on column afterpush.metric_definitions.selection_window is 'Which deliveries it speaks of.';
