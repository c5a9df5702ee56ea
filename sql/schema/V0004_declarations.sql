-- What teams declare: categories with their actions, campaigns with their variants, and sends. Also the names that
-- events use without a declaration, and the definitions of report columns.
--
-- Declarations are joined when a report runs; no rollup contains them, except for the conversion windows of campaigns, by
-- which rollups count and count again (function recount_conversions). So a declaration can come after its events.

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
comment on column afterpush.categories.app_id is 'App that declared the category.';
comment on column afterpush.categories.category_id is 'Identifier that payloads carry in aps.category, 1 to 256 bytes.';
comment on column afterpush.categories.version is
    'Version number, from 1; a changed set of actions or options makes the next version.';
comment on column afterpush.categories.effective_from is
    'The version is in force from the hour of this time; -infinity for version 1.';
comment on column afterpush.categories.options is 'Names of UNNotificationCategoryOptions, sorted.';
comment on column afterpush.categories.text_retention is
    'How long reply texts are kept; 0 keeps none; null uses the period of the app.';
comment on column afterpush.categories.created_at is 'When this version was declared.';
comment on column afterpush.categories.retired_at is
    'When a newly declared set left the category out; null while it is declared.';
comment on column afterpush.categories.min_app_version is
    'First app version that can handle the category; null if every version can.';
comment on column afterpush.categories.intent_identifiers is
    'Identifiers of the intents that notifications of the category support.';
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
comment on column afterpush.actions.app_id is 'App that declared the action.';
comment on column afterpush.actions.category_id is 'Category that offers the action.';
comment on column afterpush.actions.version is 'Version of the category.';
comment on column afterpush.actions.action_id is
    'Identifier that responses carry as action_identifier, 1 to 256 bytes.';
comment on column afterpush.actions."position" is 'Place of the action among the buttons, from 1.';
comment on column afterpush.actions.title is 'Text of the button.';
comment on column afterpush.actions.options is 'Names of UNNotificationActionOptions, sorted.';
comment on column afterpush.actions.text_input is 'Whether the action asks for text.';
comment on column afterpush.actions.button_title is
    'Text of the send button; null if not declared or not a text input action.';
comment on column afterpush.actions.placeholder is
    'Placeholder of the text field; null if not declared or not a text input action.';
comment on column afterpush.actions.goal is 'Whether a response with this action is a conversion.';
comment on column afterpush.actions.min_app_version is
    'First app version that can handle the action; null if every version can.';
alter table afterpush.actions enable row level security;
create policy report on afterpush.actions for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.actions to afterpush_ingest, afterpush_worker using (true) with check (true);

-- No foreign keys from category_id and goal_actions: a campaign may be declared before its category.
create table afterpush.campaigns (
    app_id integer not null references afterpush.apps,
    campaign_id text collate "C" not null check (octet_length(campaign_id) between 1 and 256),
    name text not null,
    category_id text collate "C",
    goal_actions text[] collate "C" not null default '{}',
    response_window interval not null default interval '72 hours' check (response_window > interval '0'),
    conversion_window interval check (conversion_window > interval '0'),
    counted_window interval not null default interval '72 hours',
    starts_at timestamptz,
    planned_deliveries bigint check (planned_deliveries > 0),
    minimum_effect double precision check (minimum_effect > 0 and minimum_effect < 1),
    holdout double precision check (holdout > 0 and holdout < 1),
    goals_declared_at timestamptz,
    weights_declared_at timestamptz,
    created_at timestamptz not null default now(),
    archived_at timestamptz,
    primary key (app_id, campaign_id)
);
-- Campaigns whose window has changed since the rollups counted by it (function recount_conversions).
create index campaigns_to_recount on afterpush.campaigns (app_id, campaign_id)
    where counted_window <> coalesce(conversion_window, response_window);
comment on index afterpush.campaigns_to_recount is
    'Campaigns whose conversions the rollups still count by an earlier window.';
comment on table afterpush.campaigns is 'One row per declared campaign; campaigns are archived, never deleted.';
comment on column afterpush.campaigns.app_id is 'App that declared the campaign.';
comment on column afterpush.campaigns.campaign_id is 'Identifier that sends and payloads carry, 1 to 256 bytes.';
comment on column afterpush.campaigns.name is 'Name for people.';
comment on column afterpush.campaigns.category_id is
    'Category of the campaign''s notifications; null if they have none.';
comment on column afterpush.campaigns.goal_actions is
    'Actions that count as conversions, in addition to the goals of the category version.';
comment on column afterpush.campaigns.response_window is
    'An unanswered delivery is closed this long after the end of its anchor hour.';
comment on column afterpush.campaigns.conversion_window is
    'A converted event counts if it lies within this time after the anchor; if null, within the response window.';
comment on column afterpush.campaigns.counted_window is
    'The conversion window by which the rollups count. Only the rollup worker changes it.';
comment on column afterpush.campaigns.starts_at is 'Planned start; null if not declared.';
comment on column afterpush.campaigns.planned_deliveries is
    'Deliveries of a variant and the control together at which anytime intervals are narrowest; null if not declared.';
comment on column afterpush.campaigns.minimum_effect is
    'The smallest difference of conversion rates that matters; null if not declared.';
comment on column afterpush.campaigns.holdout is
    'The share of the devices that are held out, by a random choice; null if not declared.';
comment on column afterpush.campaigns.goals_declared_at is
    'When goal_actions last changed; null if none was ever declared.';
comment on column afterpush.campaigns.weights_declared_at is
    'When the variants or their weights last changed; null if none was ever declared.';
comment on column afterpush.campaigns.created_at is 'When the campaign was first declared.';
comment on column afterpush.campaigns.archived_at is 'When the campaign was archived; null while it is current.';
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
comment on column afterpush.campaign_variants.app_id is 'App that declared the campaign.';
comment on column afterpush.campaign_variants.campaign_id is 'Campaign of the variant.';
comment on column afterpush.campaign_variants.variant is 'Identifier that sends and payloads carry, 1 to 256 bytes.';
comment on column afterpush.campaign_variants.weight is
    'Planned share of the deliveries, relative to the weights of the other variants.';
comment on column afterpush.campaign_variants.control is
    'Whether this is the variant that the others are compared with.';
alter table afterpush.campaign_variants enable row level security;
create policy report on afterpush.campaign_variants for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.campaign_variants to afterpush_ingest, afterpush_worker
    using (true) with check (true);

-- No foreign keys from the dimensions: sends may come before, or without, a declaration of their campaign and category.
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
comment on table afterpush.sends is
    'Declared sends: totals from senders that don''t post a sent event per device.';
comment on column afterpush.sends.app_id is 'App that declared the sends.';
comment on column afterpush.sends.send_id is 'Idempotency key: a second declaration with the same key is ignored.';
comment on column afterpush.sends.campaign_id is
    'Campaign; once it has declared sends, its sent events no longer count as its sends.';
comment on column afterpush.sends.category_id is 'Category of all these sends; null if unknown or mixed.';
comment on column afterpush.sends.category_version is
    'Version of the category; null means the one in force at sent_at.';
comment on column afterpush.sends.variant is 'Variant of all these sends; null if unknown or mixed.';
comment on column afterpush.sends.platform is 'Platform of all these sends; null if unknown or mixed.';
comment on column afterpush.sends.count is 'Notifications that the provider accepted.';
comment on column afterpush.sends.failed is 'Notifications that the provider refused.';
comment on column afterpush.sends.sent_at is 'When they were sent; its hour is their anchor hour.';
comment on column afterpush.sends.received_at is 'When the declaration arrived.';
alter table afterpush.sends enable row level security;
create policy report on afterpush.sends for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.sends to afterpush_ingest, afterpush_worker using (true) with check (true);

-- Whoever can post events can make up names. This table bounds how many of them an app stores (function reserve_names).
create table afterpush.undeclared_names (
    app_id integer not null references afterpush.apps,
    kind text collate "C" not null
        check (kind in ('campaign', 'variant', 'category', 'category_version', 'action', 'app_version')),
    parent text collate "C" not null,
    name text collate "C" not null,
    source afterpush.name_source not null,
    seen_at timestamptz not null default now(),
    primary key (app_id, kind, parent, name)
);
-- To count the names of a source. The source comes first: without statistics, PostgreSQL would look up names by this
-- index, too, and read all names of a kind for each of them.
create index on afterpush.undeclared_names (source, app_id, kind, parent);
comment on table afterpush.undeclared_names is
    'Names that stored events use without a declaration, up to a quota per app; deleted rows make room for others.';
comment on column afterpush.undeclared_names.app_id is 'App whose events use the name.';
comment on column afterpush.undeclared_names.kind is
    'campaign, variant, category, category_version, action or app_version.';
comment on column afterpush.undeclared_names.parent is
    'Campaign of a variant, category of a category version; otherwise empty.';
comment on column afterpush.undeclared_names.name is 'The name; of a category version, its number.';
comment on column afterpush.undeclared_names.source is
    'The most trustworthy source of the name so far; the names of each source have a quota of their own.';
comment on column afterpush.undeclared_names.seen_at is 'When an event with this name was first stored.';
alter table afterpush.undeclared_names enable row level security;
create policy report on afterpush.undeclared_names for select to afterpush_report
    using (app_id = (select afterpush.report_app()));

-- Filled from sql/data/metric_definitions.sql.
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
comment on table afterpush.metric_definitions is 'What the columns of reports mean, a row per name and version.';
comment on column afterpush.metric_definitions.name is
    'Name of the column, or REPORT.COLUMN if it means something else in that report.';
comment on column afterpush.metric_definitions.version is
    'Version of the definition, from 1; the highest version applies.';
comment on column afterpush.metric_definitions.unit is
    'Unit of the value, such as deliveries, events, ratio or seconds; its type if it has no unit.';
comment on column afterpush.metric_definitions.definition is 'Meaning of the column.';
comment on column afterpush.metric_definitions.numerator is 'Numerator of a rate; null for other columns.';
comment on column afterpush.metric_definitions.denominator is 'Denominator of a rate; null for other columns.';
comment on column afterpush.metric_definitions.selection_window is
    'How the deliveries that the column counts are selected; null if it counts none.';
