-- Adds deltas to rollup_events, in the order of its key, and deletes the rows that became zero.
create or replace function afterpush.add_to_rollup_events(deltas afterpush.rollup_events[]) returns void
language plpgsql
as $$
declare
    emptied tid[];
begin
    with added as (
        insert into afterpush.rollup_events as r
        select *
        from unnest(deltas)
        order by app_id, verified, campaign_id, event_hour, variant, category_id, platform
        on conflict (app_id, verified, campaign_id, event_hour, variant, category_id, platform) do update set
            sent = r.sent + excluded.sent,
            failed = r.failed + excluded.failed,
            delivered = r.delivered + excluded.delivered,
            displayed = r.displayed + excluded.displayed,
            read = r.read + excluded.read,
            opened = r.opened + excluded.opened,
            action = r.action + excluded.action,
            text_input = r.text_input + excluded.text_input,
            dismissed = r.dismissed + excluded.dismissed,
            converted = r.converted + excluded.converted,
            replaced = r.replaced + excluded.replaced,
            media_played = r.media_played + excluded.media_played,
            media_paused = r.media_paused + excluded.media_paused,
            attachment_failed = r.attachment_failed + excluded.attachment_failed,
            extension_expired = r.extension_expired + excluded.extension_expired,
            token_registered = r.token_registered + excluded.token_registered,
            token_failed = r.token_failed + excluded.token_failed,
            permission_granted = r.permission_granted + excluded.permission_granted,
            permission_revoked = r.permission_revoked + excluded.permission_revoked,
            app_opened = r.app_opened + excluded.app_opened,
            held_out = r.held_out + excluded.held_out,
            events = r.events + excluded.events
        returning r.ctid as stored_row, r.events
    )
    select array_agg(stored_row) into emptied from added where events = 0;

    if emptied is not null then
        delete from afterpush.rollup_events where ctid = any (emptied);
    end if;
end
$$;
comment on function afterpush.add_to_rollup_events is 'Adds deltas to rollup_events.';
