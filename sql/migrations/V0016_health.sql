-- What the reports health, failures, replies, undeclared and rejected rest on.

-- What collectors hold in their spools, as each last told. Without a database nobody can tell it anything, and nobody
-- can read a report either; once it is back, each tells within a second how much is still to come.
create table afterpush.spools (
    collector uuid not null,
    app_id integer not null references afterpush.apps,
    events bigint not null check (events >= 0),
    oldest_at timestamptz,
    told_at timestamptz not null default now(),
    primary key (collector, app_id)
);
create index on afterpush.spools (app_id);
comment on table afterpush.spools is 'Events that collectors answered 202 and still hold in their spools.';
comment on column afterpush.spools.collector is 'A running collector; it draws the id when it starts.';
comment on column afterpush.spools.app_id is 'The app whose events these are.';
comment on column afterpush.spools.events is 'Events that wait in its spool.';
comment on column afterpush.spools.oldest_at is 'When the request arrived whose events wait longest; null when none do.';
comment on column afterpush.spools.told_at is 'When the collector last told; one that has not for a minute is away or gone.';
alter table afterpush.spools enable row level security;
create policy report on afterpush.spools for select to afterpush_report
    using (app_id = (select afterpush.report_app()));
create policy serve on afterpush.spools to afterpush_ingest using (true) with check (true);
grant select, insert, update, delete on afterpush.spools to afterpush_ingest;
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

-- The texts of an app that are kept. As the owner, since the role of the reports can't read replies at large: it gets
-- those of the app whose token it shows, and who may act as the owner gets those of the app that is named.
create function afterpush.kept_texts(app text)
returns table (delivery_id uuid, event_id uuid, device_time timestamptz, user_text text)
language sql stable
security definer
set search_path = pg_catalog, pg_temp
as $$
    select r.delivery_id, r.event_id, r.device_time, r.user_text
    from afterpush.replies as r
    join afterpush.apps as a using (app_id)
    where a.name = kept_texts.app
      and (
          a.app_id = (select afterpush.report_app())
          or (
              current_setting('role') not in ('afterpush_report', 'afterpush_ingest', 'afterpush_worker')
              and pg_catalog.pg_has_role(session_user, 'afterpush_owner', 'member')
          )
      )
$$;
comment on function afterpush.kept_texts is 'The reply texts of an app that are kept, for those who may read its reports.';

grant execute on function afterpush.report_bounds, afterpush.normalised_answer, afterpush.kept_texts
    to afterpush_report;
