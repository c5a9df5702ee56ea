-- Erases an id from what an app keeps beside events: names of other systems' events, which anyone can make up, and alerts
-- about rows of a report that are identified by a text with the id, such as failures by reason.
--
-- The counts of such names stay, under the name (erased). Messages of such alerts are not sent any more, nor are summaries
-- that mention the id. If the report still has the row, the rule begins again with it.
create or replace function afterpush.erase_texts_with_id(app integer, id text) returns void
language plpgsql
set search_path = pg_catalog, pg_temp
as $$
begin
    with erased as (
        delete from afterpush.dialect_events as d
        where d.app_id = app
          and afterpush.contains_id(d.name, id)
        returning *
    )
    insert into afterpush.dialect_events as d
        (app_id, family, name, reason, received, mapped, ignored, rejected, first_at, last_at)
    select
        app_id, family, '(erased)', reason, sum(received), sum(mapped), sum(ignored), sum(rejected), min(first_at),
        max(last_at)
    from erased
    group by app_id, family, reason
    on conflict (app_id, family, name, reason) do update
    set received = d.received + excluded.received,
        mapped = d.mapped + excluded.mapped,
        ignored = d.ignored + excluded.ignored,
        rejected = d.rejected + excluded.rejected,
        first_at = least(d.first_at, excluded.first_at),
        last_at = greatest(d.last_at, excluded.last_at);

    delete from afterpush.alert_states as s
    where s.app_id = app
      and exists (select from jsonb_each_text(s.series::jsonb) as v where afterpush.contains_id(v.value, id));
    -- Messages have the id of their change. Those of summaries are without one.
    delete from afterpush.alert_messages as m
    where m.app_id = app
      and case
          when exists (select from afterpush.alert_history as h where h.transition_id = m.message_id)
          then exists (
              select
              from afterpush.alert_history as h
              cross join lateral jsonb_each_text(h.series::jsonb) as v
              where h.transition_id = m.message_id
                and afterpush.contains_id(v.value, id)
          )
          else afterpush.contains_id(m.body, id)
              or afterpush.contains_id(m.body, trim(both '"' from to_json(id)::text))
      end;
    delete from afterpush.alert_history as h
    where h.app_id = app
      and exists (select from jsonb_each_text(h.series::jsonb) as v where afterpush.contains_id(v.value, id));
end
$$;
comment on function afterpush.erase_texts_with_id is
    'Erases an id from names of other systems'' events, and alerts about rows of a report that it identifies.';
