-- Moves waiting reply texts to replies once the category of their delivery is known, or no category of the app keeps no
-- text any more. Deletes those whose category keeps no text.
--
-- batches: only texts of deliveries with an event in these batches; null for all texts.
--
-- Runs as the owner, because only what stores texts may read them.
create or replace function afterpush.release_waiting_replies(batches bigint[]) returns void
language sql
security definer
set search_path = pg_catalog, pg_temp
as $$
    with released as (
        delete from afterpush.waiting_replies as w
        using afterpush.deliveries as d
        where d.delivery_id = w.delivery_id
          and (d.category_id is not null or not afterpush.has_textless_category(w.app_id))
          and (
              batches is null
              or w.delivery_id in (select e.delivery_id from afterpush.events as e where e.batch_id = any (batches))
          )
        returning w.*, d.category_id
    )
    insert into afterpush.replies (app_id, delivery_id, event_id, device_time, user_text, stored_at)
    select app_id, delivery_id, event_id, device_time, user_text, stored_at
    from released
    where afterpush.text_retention(app_id, category_id) > interval '0'
    order by delivery_id, event_id, device_time
    on conflict (delivery_id, event_id, device_time) do nothing
$$;
comment on function afterpush.release_waiting_replies is
    'Moves waiting reply texts to replies, or deletes them, once the category of their delivery is known.';
