-- Alerts: rules, their states and history, and the messages that wait to be delivered.
--
-- The tables hold addresses of destinations, which can be secrets, so the report role reads none of them.

create table afterpush.alert_settings (
    app_id integer primary key references afterpush.apps,
    -- Generated here so that the secret appears in no statement, as in receipt_secrets.
    secret bytea not null
        default sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))
        check (octet_length(secret) = 32),
    destinations jsonb not null default '[]',
    summary text check (summary in ('daily', 'weekly')),
    next_summary_at timestamptz
);
comment on table afterpush.alert_settings is 'One row per app: where its alerts go, and how often it gets a summary.';
comment on column afterpush.alert_settings.app_id is 'App whose alerts these are.';
comment on column afterpush.alert_settings.secret is
    '32 random bytes; webhooks are signed with them (HMAC-SHA-256).';
comment on column afterpush.alert_settings.destinations is
    'Destinations of rules that name none, and of the summary: array of {"kind", "target"}.';
comment on column afterpush.alert_settings.summary is 'daily or weekly; null for no summary.';
comment on column afterpush.alert_settings.next_summary_at is
    'When the next summary is due, which is where its period ends; null without one.';
alter table afterpush.alert_settings enable row level security;
create policy serve on afterpush.alert_settings to afterpush_worker using (true) with check (true);

create table afterpush.alert_rules (
    app_id integer not null references afterpush.apps,
    alert_name text collate "C" not null check (octet_length(alert_name) between 1 and 256),
    built_in boolean not null default false,
    enabled boolean not null default true,
    definition jsonb not null,
    destinations jsonb,
    next_evaluation_at timestamptz not null default now(),
    claim uuid,
    claimed_until timestamptz,
    evaluated_at timestamptz,
    problem text,
    primary key (app_id, alert_name)
);
create index on afterpush.alert_rules (next_evaluation_at) where enabled;
comment on table afterpush.alert_rules is 'One row per alert rule.';
comment on column afterpush.alert_rules.app_id is 'App whose reports the rule watches.';
comment on column afterpush.alert_rules.alert_name is 'Name of the rule, 1 to 256 bytes.';
comment on column afterpush.alert_rules.built_in is
    'Whether the definition comes with the program, so that a newer program changes it.';
comment on column afterpush.alert_rules.enabled is 'Whether the rule is evaluated.';
comment on column afterpush.alert_rules.definition is
    'Report, parameters, column, bound or band, and durations, as in PUT /v1/alerts/{name}.';
comment on column afterpush.alert_rules.destinations is
    'Where its alerts go: array of {"kind", "target"}; null for the destinations of the app.';
comment on column afterpush.alert_rules.next_evaluation_at is 'When the next evaluation is due.';
comment on column afterpush.alert_rules.claim is 'Identifies the evaluation that is under way; null between two.';
comment on column afterpush.alert_rules.claimed_until is
    'Until then no other collector evaluates the rule; a collector that was killed holds it up no longer.';
comment on column afterpush.alert_rules.evaluated_at is 'When the rule was last evaluated; null if never.';
comment on column afterpush.alert_rules.problem is
    'Why the last evaluation failed; null if it did not. A failed evaluation changes no state.';
alter table afterpush.alert_rules enable row level security;
create policy serve on afterpush.alert_rules to afterpush_worker using (true) with check (true);

create table afterpush.alert_states (
    app_id integer not null,
    alert_name text collate "C" not null,
    series text collate "C" not null,
    state text not null check (state in ('ok', 'pending', 'firing')),
    since timestamptz not null,
    changing_since timestamptz,
    seen_at timestamptz not null,
    value double precision,
    value_low double precision,
    value_high double precision,
    description text not null,
    primary key (app_id, alert_name, series),
    foreign key (app_id, alert_name) references afterpush.alert_rules on delete cascade
);
comment on table afterpush.alert_states is 'One row per row of the report that a rule watches: its present state.';
comment on column afterpush.alert_states.app_id is 'App of the rule.';
comment on column afterpush.alert_states.alert_name is 'Name of the rule.';
comment on column afterpush.alert_states.series is
    'Values of the columns that identify the row, as a JSON object; {} if the rule watches all rows together.';
comment on column afterpush.alert_states.state is
    'ok, pending (outside, but not for long enough) or firing.';
comment on column afterpush.alert_states.since is 'When the state began.';
comment on column afterpush.alert_states.changing_since is
    'Since when the value has been on the other side: outside while pending, inside while firing; else null.';
comment on column afterpush.alert_states.seen_at is 'When the report last had the row.';
comment on column afterpush.alert_states.value is 'Value at the last evaluation; null if it was missing or a text.';
comment on column afterpush.alert_states.value_low is 'Lower bound of its interval; null if it has none.';
comment on column afterpush.alert_states.value_high is 'Upper bound of its interval; null if it has none.';
comment on column afterpush.alert_states.description is 'The value and what is expected, as a sentence.';
alter table afterpush.alert_states enable row level security;
create policy serve on afterpush.alert_states to afterpush_worker using (true) with check (true);

-- No foreign key to the rule: the history outlives it.
create table afterpush.alert_history (
    transition_id uuid primary key default gen_random_uuid(),
    app_id integer not null references afterpush.apps,
    alert_name text collate "C" not null,
    series text collate "C" not null,
    from_state text not null,
    to_state text not null,
    changed_at timestamptz not null,
    value double precision,
    value_low double precision,
    value_high double precision,
    description text not null
);
create index on afterpush.alert_history (app_id, changed_at);
create index on afterpush.alert_history (changed_at);
comment on table afterpush.alert_history is 'One row per change of an alert''s state; kept for 400 days.';
comment on column afterpush.alert_history.transition_id is
    'Identifies the change; its messages carry it, so that receivers can drop repetitions.';
comment on column afterpush.alert_history.app_id is 'App of the rule.';
comment on column afterpush.alert_history.alert_name is 'Name of the rule.';
comment on column afterpush.alert_history.series is 'As in alert_states.';
comment on column afterpush.alert_history.from_state is 'State before.';
comment on column afterpush.alert_history.to_state is 'State after.';
comment on column afterpush.alert_history.changed_at is 'When the state changed.';
comment on column afterpush.alert_history.value is 'Value that changed it; null if it was missing or a text.';
comment on column afterpush.alert_history.value_low is 'Lower bound of its interval; null if it has none.';
comment on column afterpush.alert_history.value_high is 'Upper bound of its interval; null if it has none.';
comment on column afterpush.alert_history.description is 'The value and what is expected, as a sentence.';
alter table afterpush.alert_history enable row level security;
create policy serve on afterpush.alert_history to afterpush_worker using (true) with check (true);

-- Messages are inserted by the transaction that changes the state, and delivered by another.
create table afterpush.alert_messages (
    app_id integer not null references afterpush.apps,
    message_id uuid not null,
    kind text not null check (kind in ('webhook', 'slack', 'email')),
    target text collate "C" not null check (octet_length(target) between 1 and 2048),
    subject text not null,
    body text not null,
    created_at timestamptz not null default now(),
    attempts integer not null default 0,
    next_attempt_at timestamptz default now(),
    claim uuid,
    claimed_until timestamptz,
    ended_at timestamptz,
    outcome text check (outcome in ('delivered', 'gave_up', 'destination_disabled', 'no_room')),
    problem text,
    primary key (message_id, kind, target),
    constraint alert_messages_ended check ((outcome is null) = (ended_at is null))
);
create index on afterpush.alert_messages (app_id, next_attempt_at) where ended_at is null;
create index on afterpush.alert_messages (app_id) where claim is not null;
create index on afterpush.alert_messages (ended_at) where ended_at is not null;
create index on afterpush.alert_messages (app_id, created_at);
comment on table afterpush.alert_messages is
    'The outbox: one row per message and destination; kept for 30 days after its end.';
comment on column afterpush.alert_messages.app_id is 'App of the rule.';
comment on column afterpush.alert_messages.message_id is
    'The transition_id of the change, or an identifier of its own for a summary; the same at each attempt.';
comment on column afterpush.alert_messages.kind is 'webhook, slack or email.';
comment on column afterpush.alert_messages.target is 'URL or mail address.';
comment on column afterpush.alert_messages.subject is 'Subject of a mail.';
comment on column afterpush.alert_messages.body is 'Body as it is sent, the same at each attempt.';
comment on column afterpush.alert_messages.created_at is 'When the message was put into the outbox.';
comment on column afterpush.alert_messages.attempts is 'Number of attempts begun.';
comment on column afterpush.alert_messages.next_attempt_at is 'When the next attempt is due.';
comment on column afterpush.alert_messages.claim is 'Identifies the attempt that is under way; null between two.';
comment on column afterpush.alert_messages.claimed_until is
    'Until then no other collector attempts a delivery to the destination.';
comment on column afterpush.alert_messages.ended_at is 'When the last attempt ended; null while the message waits.';
comment on column afterpush.alert_messages.outcome is
    'delivered, gave_up (after three days), destination_disabled (it answered 410) or no_room (too many messages of the '
    'app waited); null while the message waits.';
comment on column afterpush.alert_messages.problem is 'Why the last attempt failed; null if it did not.';
alter table afterpush.alert_messages enable row level security;
create policy serve on afterpush.alert_messages to afterpush_worker using (true) with check (true);

create table afterpush.disabled_destinations (
    app_id integer not null references afterpush.apps,
    kind text not null,
    target text collate "C" not null,
    disabled_at timestamptz not null default now(),
    primary key (app_id, kind, target)
);
comment on table afterpush.disabled_destinations is
    'Destinations that answered 410 Gone; they get no messages until they are put again.';
comment on column afterpush.disabled_destinations.app_id is 'App of the destination.';
comment on column afterpush.disabled_destinations.kind is 'webhook, slack or email.';
comment on column afterpush.disabled_destinations.target is 'URL or mail address.';
comment on column afterpush.disabled_destinations.disabled_at is 'When it answered 410.';
alter table afterpush.disabled_destinations enable row level security;
create policy serve on afterpush.disabled_destinations to afterpush_worker using (true) with check (true);
