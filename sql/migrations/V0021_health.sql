-- What the reports health, failures, replies, undeclared and rejected rest on.

-- What collectors hold in their spools, as each last told. Without a database nobody can tell it anything, and nobody
-- can read a report either; once it is back, each tells within a second how much is still to come.
create table afterpush.spools (
    collector uuid primary key,
    events bigint not null check (events >= 0),
    oldest_at timestamptz,
    told_at timestamptz not null default now()
);
comment on table afterpush.spools is 'Events, of all apps together, that collectors answered 202 and still hold in their spools.';
comment on column afterpush.spools.collector is 'A place for a spool: derived from host and path, so that a collector that starts again is the same.';
comment on column afterpush.spools.events is 'Events that wait in its spool.';
comment on column afterpush.spools.oldest_at is 'When the request arrived whose events wait longest; null when none do.';
comment on column afterpush.spools.told_at is 'When the collector last told; each tells within half a minute while it can.';
alter table afterpush.spools enable row level security;
-- How much waits is no app's secret: it delays the reports of all.
create policy report on afterpush.spools for select to afterpush_report using (true);
create policy serve on afterpush.spools to afterpush_ingest using (true) with check (true);
grant select, insert, update on afterpush.spools to afterpush_ingest;
grant select on afterpush.spools to afterpush_report;

-- All that an event says, as one text: the same event sent again has the same. What depends on when and with which key
-- it was sent (skew, verified) is no part of it. The text of a reply is: its digest, while the text is kept.
create function afterpush.event_content(
    kind text, action_identifier text, text_length integer, campaign_id text, variant text, category_id text,
    category_version integer, platform text, app_version text, os_version text, locale text, surface text, trigger text,
    app_state text, dismiss_cause text, handling text, utc_offset_minutes integer, reason text, name text,
    value numeric, currency text, properties jsonb
)
returns text
language sql stable parallel safe
return row(
    kind, action_identifier, text_length, campaign_id, variant, category_id, category_version, platform, app_version,
    os_version, locale, surface, trigger, app_state, dismiss_cause, handling, utc_offset_minutes, reason, name,
    trim_scale(value), currency, properties
)::text;
comment on function afterpush.event_content is 'All that an event says, as one text.';

-- How many of some events are stored with other content. As the owner, since ingest can read no more than keys.
-- `user_texts` counts where a text is kept to compare it with.
create function afterpush.differing_events(
    delivery_ids uuid[], event_ids uuid[], device_times timestamptz[], contents text[], user_texts text[]
)
returns bigint
language sql stable
security definer
set search_path = pg_catalog, pg_temp
return (
    select count(*)
    from unnest(delivery_ids, event_ids, device_times, contents, user_texts)
        as i (delivery_id, event_id, device_time, content, user_text)
    join afterpush.events as e using (delivery_id, event_id, device_time)
    left join afterpush.replies as r using (delivery_id, event_id, device_time)
    where i.user_text <> r.user_text
       or i.content <> afterpush.event_content(
           e.kind::text, e.action_identifier, e.text_length, e.campaign_id, e.variant, e.category_id,
           e.category_version, e.platform, e.app_version, e.os_version, e.locale, e.surface, e.trigger, e.app_state,
           e.dismiss_cause, e.handling, e.utc_offset_minutes, e.reason, e.name, e.value, e.currency, e.properties
       )
);
comment on function afterpush.differing_events is 'How many of some events are stored with other content.';
grant execute on function afterpush.event_content, afterpush.differing_events to afterpush_ingest;

-- What a report selects events by, as text for the statement. Hours count whose start is within `from` and `to`, so
-- both are rounded up to an hour. An event is stored at most a day before it occurs, which tells the first batch that
-- can hold one; versions that devices state are looked for thirty days further back.
create function afterpush.report_bounds(app text, "from" timestamptz, "to" timestamptz)
returns table (from_hour text, to_hour text, first_batch text, first_statement_batch text)
language sql stable
as $$
    with given as (
        select
            afterpush.anchor_hour("from" + interval '1 hour' - interval '1 microsecond', null, null) as from_hour,
            afterpush.anchor_hour("to" + interval '1 hour' - interval '1 microsecond', null, null) as to_hour
    ),
    stored as (
        select
            min(batch_id) filter (where started_at >= given.from_hour - interval '25 hours') as first_batch,
            min(batch_id) filter (where started_at >= given.from_hour - interval '31 days') as first_statement_batch
        from given
        cross join afterpush.batches
        join afterpush.apps as a using (app_id)
        where a.name = app
          and given.from_hour is not null
    )
    select
        coalesce(given.from_hour, '-infinity')::text,
        coalesce(given.to_hour, 'infinity')::text,
        case when given.from_hour is null then 0 else coalesce(first_batch, 9223372036854775807) end::text,
        case when given.from_hour is null then 0 else coalesce(first_statement_batch, 9223372036854775807) end::text
    from given
    cross join stored
$$;
comment on function afterpush.report_bounds is 'What a report selects events by: hours, and the first batches that can hold them.';

-- An answer as it is counted: in composed form (NFC), lower case, trimmed, white space collapsed. Lower case by ICU, if
-- the server has it, so that it does not depend on the database's locale.
do $$
begin
    execute format(
        $function$
        create function afterpush.normalised_answer(answer text) returns text
        language sql immutable parallel safe
        return normalize(btrim(regexp_replace(
            lower(normalize(answer, nfc) %s),
            E'[\\u0009-\\u000d\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+',
            ' ', 'g'
        )), nfc)
        $function$,
        case when exists (select from pg_catalog.pg_collation where collname = 'und-x-icu') then 'collate "und-x-icu"' end
    );
end
$$;
comment on function afterpush.normalised_answer is 'An answer in lower case, trimmed, white space collapsed, NFC.';

grant execute on function afterpush.report_bounds, afterpush.normalised_answer to afterpush_report;

-- What the columns mean.
delete from afterpush.metric_definitions
where name in ('undeclared.deliveries', 'undeclared.first_hour', 'undeclared.last_hour');
insert into afterpush.metric_definitions (name, version, unit, definition, numerator, denominator, selection_window)
values
    ('health.section', 1, 'text', 'What the row belongs to: rollups, spool, intake, verified, clock, delay, response_time, conflicting, responses_only, coverage_app_version, coverage_os_version, final or day.', null, null, null),
    ('health.item', 1, 'text', 'What the row speaks of; null is an unknown version.', null, null, null),
    ('health.platform', 1, 'text', 'Platform, where versions are told apart; null is unknown.', null, null, null),
    ('health.counted', 1, 'integer', 'What the share counts, of n; null where the finding is no share.', null, null, null),
    ('health.value', 1, 'number', 'The finding, in unit.', 'counted', 'n', null),
    ('health.value_low', 1, 'ratio', 'Lower bound of the Wilson score interval of a share at 95 %.', null, null, null),
    ('health.value_high', 1, 'ratio', 'Upper bound of the Wilson score interval of a share at 95 %.', null, null, null),
    ('health.unit', 1, 'text', 'ratio, seconds, events, deliveries or days.', null, null, null),
    ('health.n', 1, 'integer', 'Of how many: events, deliveries, batches, collectors or days.', null, null, null),
    ('health.at', 1, 'time', 'The time that the row speaks of: as_of, the oldest that waits, when a day is or will be final.', null, null, null),
    ('health.flag', 1, 'text', 'What is wrong; null if nothing is. A version is low if both it and the other known versions of its platform have min_n sends, its interval lies under theirs, and its share is at least five points under theirs.', null, null, null),
    ('health.detail', 1, 'text', 'What the row means.', null, null, null),
    ('failures.day', 1, 'date', 'Local day of the hour''s start: the anchor''s for deliveries, else the event''s.', null, null, null),
    ('failures.hour', 1, 'time', 'The anchor''s hour for deliveries, else the event''s.', null, null, null),
    ('failures.platform', 1, 'text', 'Platform; null is unknown.', null, null, null),
    ('failures.campaign_id', 1, 'text', 'Campaign of the delivery; null is unknown.', null, null, null),
    ('failures.kind', 1, 'text', 'failed, declared, attachment_failed, extension_expired, token_failed, token_registered, permission_granted or permission_revoked.', null, null, null),
    ('failures.reason', 1, 'text', 'The reason as it was given; null if none was.', null, null, null),
    ('failures.events', 1, 'events', 'Events of the kind with this reason; null for declared ones.', null, null, null),
    ('failures.deliveries', 1, 'deliveries', 'Deliveries with such an event; null for kinds about the device alone.', null, null, null),
    ('failures.devices', 1, 'devices', 'Devices with such an event; null for declared ones.', null, null, null),
    ('failures.attempts', 1, 'integer', 'What could have failed so: deliveries sent or failed, or seen on the device; devices whose token was registered or failed.', null, null, null),
    ('failures.failure_rate', 1, 'ratio', 'Share of the attempts that failed so.', 'deliveries; for token_failed devices', 'attempts', null),
    ('failures.failure_rate_low', 1, 'ratio', 'Lower bound of the Wilson score interval of failure_rate at 95 %.', null, null, null),
    ('failures.failure_rate_high', 1, 'ratio', 'Upper bound of the Wilson score interval of failure_rate at 95 %.', null, null, null),
    ('failures.first_at', 1, 'time', 'When the first of them occurred.', null, null, null),
    ('failures.last_at', 1, 'time', 'When the last of them occurred.', null, null, null),
    ('replies.replies', 1, 'events', 'Replies with the action, whatever their text.', null, null, null),
    ('replies.answer', 1, 'text', 'The answer in lower case, trimmed, white space collapsed, NFC; null for all others.', null, null, null),
    ('replies.count', 1, 'events', 'Replies with this answer.', null, null, null),
    ('replies.deliveries', 1, 'deliveries', 'Deliveries that gave this answer.', null, null, null),
    ('replies.replied', 1, 'deliveries', 'Deliveries that were answered with the action, whatever the text.', null, null, null),
    ('replies.share', 1, 'ratio', 'Share of the deliveries answered with the action that gave this answer.', 'deliveries', 'replied', 'anchor hour within from and to'),
    ('replies.share_low', 1, 'ratio', 'Lower bound of the Wilson score interval of share at 95 %.', null, null, null),
    ('replies.share_high', 1, 'ratio', 'Upper bound of the Wilson score interval of share at 95 %.', null, null, null),
    ('replies.replied_at', 1, 'time', 'When it was answered.', null, null, null),
    ('replies.text', 1, 'text', 'What was typed.', null, null, null),
    ('undeclared.events', 1, 'events', 'Events that named it.', null, null, null),
    ('undeclared.first_at', 1, 'time', 'When the first of them occurred.', null, null, null),
    ('undeclared.last_at', 1, 'time', 'When the last of them occurred.', null, null, null)
on conflict (name, version) do update set
    unit = excluded.unit,
    definition = excluded.definition,
    numerator = excluded.numerator,
    denominator = excluded.denominator,
    selection_window = excluded.selection_window;
