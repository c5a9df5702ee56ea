-- Trigger on events_default while it is being copied (function split_default_partition): does to the copy what is done to
-- the partition.
create or replace function afterpush.copy_event() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    if tg_op <> 'INSERT' then
        delete from afterpush.events_copy as c
        where (c.delivery_id, c.event_id, c.device_time) = (old.delivery_id, old.event_id, old.device_time);
    end if;
    if tg_op <> 'DELETE' then
        insert into afterpush.events_copy select new.* on conflict do nothing;
    end if;
    return null;
end
$$;
comment on function afterpush.copy_event is
    'Trigger: does to the copy of the default partition what is done to the partition.';
