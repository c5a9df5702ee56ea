-- Erasure.

-- Of an erased device nothing is kept that it sent, whenever and however it comes: collectors know of an erasure within
-- a second, and this is for what they refused before and store after, and for devices that only a receipt names.
create or replace function afterpush.redact_rejected_event() returns trigger
language plpgsql
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
    if exists (select from afterpush.suppressed_devices as s where s.app_id = new.app_id)
        and exists (
            select
            from unnest(afterpush.named_devices(new.event)) as named (device)
            cross join afterpush.suppression_keys as k
            join afterpush.suppressed_devices as s
                on s.app_id = new.app_id
                and s.device_hash = afterpush.device_hash(named.device, k.inner_block, k.outer_block)
        )
    then
        new.code := 'device_suppressed';
        new.detail := 'the device was erased';
        new.event := case
            when new.event_id ~ '^[0-9A-Fa-f-]*$' then '{"event_id":"' || new.event_id || '"}'
            else '{}'
        end;
    end if;
    return new;
end
$$;
comment on function afterpush.redact_rejected_event is
    'Takes out of a refused event what its device sent, if that was erased.';

create or replace trigger redact_rejected_event before insert on afterpush.rejected_events
    for each row
    execute function afterpush.redact_rejected_event();
