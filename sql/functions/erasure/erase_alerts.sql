-- Erases ids of devices from alerts: what erase_texts does of this.

-- Whether a text contains any of some ids (function contains_id).
create or replace function afterpush.contains_any_id(content text, ids text[]) returns boolean
language sql immutable parallel safe
return exists (select from unnest(ids) as id where afterpush.contains_id(content, id));
comment on function afterpush.contains_any_id is 'Returns whether a text contains any of some ids.';

-- Whether the series of an alert, which is a JSON object, has a text that contains any of some ids.
create or replace function afterpush.series_contains_any_id(series text, ids text[]) returns boolean
language sql immutable parallel safe
return exists (
    select from jsonb_each_text(series::jsonb) as v where afterpush.contains_any_id(v.value, ids)
);
comment on function afterpush.series_contains_any_id is
    'Returns whether the series of an alert has a text that contains any of some ids.';

-- The ids as they are, and as lines of alerts and their messages have them: with a blank in place of each control character
-- and mark of direction.
create or replace function afterpush.ids_in_lines(ids text[]) returns text[]
language sql immutable parallel safe
return array(
    select id from unnest(ids) as id
    union
    select regexp_replace(
        id, '[\u0001-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]', ' ', 'g'
    )
    from unnest(ids) as id
);
comment on function afterpush.ids_in_lines is 'Returns ids as they are, and as lines of alerts have them.';

-- The ids that are looked for in descriptions of alerts: not numbers, because descriptions are full of them.
create or replace function afterpush.ids_in_descriptions(ids text[]) returns text[]
language sql immutable parallel safe
return array(select id from unnest(afterpush.ids_in_lines(ids)) as id where id !~ '^[0-9.,]+$');
comment on function afterpush.ids_in_descriptions is 'Returns the ids that are looked for in descriptions of alerts.';

-- The texts of a message of an alert, a line each, without the escapes of JSON and of Slack.
--
-- kind, body: as in alert_messages. A body that is not JSON, which no program writes, is returned as it is: it must not
-- hold up erasures.
create or replace function afterpush.message_texts(kind text, body text) returns text
language plpgsql immutable
as $$
begin
    return case
        when kind = 'email' then body
        else (
            select string_agg(
                case
                    when kind = 'slack'
                    then replace(replace(replace(t.text, '&lt;', '<'), '&gt;', '>'), '&amp;', '&')
                    else t.text
                end,
                E'\n'
            )
            from (
                select value #>> '{}' as text
                from jsonb_path_query(body::jsonb, 'strict $.**') as value
                where jsonb_typeof(value) = 'string'
            ) as t
        )
    end;
exception
    when invalid_text_representation or untranslatable_character then
        return body;
end
$$;
comment on function afterpush.message_texts is 'Returns the texts of a message of an alert, a line each.';

-- Whether evaluations of an app's alerts are under way that began before a time. Claims that have lapsed don't count.
create or replace function afterpush.awaits_alerts(app integer, before timestamptz) returns boolean
language sql volatile
return exists (
    select
    from afterpush.alert_rules
    where app_id = app
      and claim is not null
      -- A time that is further away was set while the database's clock was ahead.
      and claimed_until between now() and now() + interval '1 day'
      and coalesce(claimed_at < before, true)
);
comment on function afterpush.awaits_alerts is
    'Returns whether evaluations of an app''s alerts are under way that began before a time.';

-- Locks what an app's alerts are stored under: the rules, and the settings. Evaluations, summaries and the deletion of a rule
-- take these locks before they read states of alerts, so that none of them puts back what the transaction deletes.
--
-- before: a time. Returns false, and the caller tries again later, if an evaluation or a summary is just being stored, or
-- evaluations are under way that began before that time: they may have read what was deleted then. Claims that have lapsed
-- are withdrawn: what their evaluations found is not stored any more.
create or replace function afterpush.lock_alerts(app integer, before timestamptz) returns boolean
language plpgsql
as $$
declare
    locked integer;
begin
    -- The usual wait, without locks that would hold up others.
    if afterpush.awaits_alerts(app, before) then
        return false;
    end if;
    perform from afterpush.alert_rules where app_id = app order by alert_name for no key update skip locked;
    get diagnostics locked = row_count;
    if locked < (select count(*) from afterpush.alert_rules where app_id = app) then
        return false;
    end if;
    perform from afterpush.alert_settings where app_id = app for update skip locked;
    if not found and exists (select from afterpush.alert_settings where app_id = app) then
        return false;
    end if;
    update afterpush.alert_rules
    set claim = null, claimed_until = null
    where app_id = app
      and claim is not null
      and (claimed_until < now() or claimed_until > now() + interval '1 day');
    return not afterpush.awaits_alerts(app, before);
end
$$;
comment on function afterpush.lock_alerts is
    'Locks an app''s alerts; returns false while an evaluation may store what it read before a time.';

-- Deletes a page of the history of alerts about rows of a report that are identified by a text with any of some ids, such
-- as failures by reason, with their messages; and summaries that mention any of the ids.
--
-- checked: the time up to which earlier pages were searched. max_rows: rows of the history, and messages, in a page at
-- most; and those of the same time as the last one, which an evaluation writes at once.
-- Returns the time up to which this page was searched; null if it was the last one.
create or replace function afterpush.erase_alerts_page(
    app integer, ids text[], checked timestamptz, max_rows integer
) returns timestamptz
language plpgsql
-- A page is a small part of these tables: it is found by the index on app and time, whatever other apps have.
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
    page_end constant timestamptz := least(
        (
            select h.changed_at
            from afterpush.alert_history as h
            where h.app_id = app
              and h.changed_at > checked
            order by h.changed_at
            offset max_rows
            limit 1
        ),
        (
            select m.created_at
            from afterpush.alert_messages as m
            where m.app_id = app
              and m.created_at > checked
            order by m.created_at
            offset max_rows
            limit 1
        )
    );
    texts constant text[] := afterpush.ids_in_descriptions(ids);
    lines constant text[] := afterpush.ids_in_lines(ids);
    erased uuid[];
begin
    erased := array(
        select h.transition_id
        from afterpush.alert_history as h
        where h.app_id = app
          and h.changed_at > checked
          and h.changed_at <= coalesce(page_end, 'infinity')
          and (
              afterpush.series_contains_any_id(h.series, ids)
              or afterpush.contains_any_id(h.description, texts)
          )
    );
    -- A message has the id of its change.
    delete from afterpush.alert_messages where message_id = any (erased);
    delete from afterpush.alert_history where transition_id = any (erased);
    -- Messages without a change are summaries, or their change is not kept any more.
    delete from afterpush.alert_messages as m
    where m.app_id = app
      and m.created_at > checked
      and m.created_at <= coalesce(page_end, 'infinity')
      and not exists (select from afterpush.alert_history as h where h.transition_id = m.message_id)
      and afterpush.contains_any_id(afterpush.message_texts(m.kind, m.body), lines);
    return page_end;
end
$$;
comment on function afterpush.erase_alerts_page is
    'Deletes a page of history and messages of alerts that contain ids; returns the time up to which it was searched.';
