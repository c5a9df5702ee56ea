-- Lets erasures go on whose app's rejected events are checked: those that a collector may have stored without knowing of
-- the erasure, which is two seconds after the request at the latest. Later ones are checked before they are stored, so an
-- erasure does not wait for them, however many come.
create or replace function afterpush.end_rejected_checks() returns void
language plpgsql
as $$
begin
    update afterpush.erasures as e
    set rejected_until = coalesce(
        (select max(r.rejection_id) from afterpush.rejected_events as r where r.app_id = e.app_id), 0
    )
    where (e.app_id, e.device_hash) in (
        select c.app_id, c.device_hash
        from afterpush.erasures as c
        where c.phase = 'checking_rejected'
          and c.rejected_until is null
          and c.requested_at < clock_timestamp() - interval '2 seconds'
        for update skip locked
    );
    update afterpush.erasures as e
    set phase = 'erasing_texts'
    where (e.app_id, e.device_hash) in (
        select c.app_id, c.device_hash
        from afterpush.erasures as c
        where c.phase = 'checking_rejected'
          and c.rejected_until is not null
          and not exists (
              select
              from afterpush.rejected_events as r
              where r.app_id = c.app_id
                and r.rejection_id > c.rejected_checked
                and r.rejection_id <= c.rejected_until
          )
        for update skip locked
    );
end
$$;
comment on function afterpush.end_rejected_checks is
    'Lets erasures go on whose app''s rejected events are checked, as far as these may say the device.';
