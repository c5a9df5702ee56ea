-- Adds to the sums of events. Rows that nothing is left of go.
create or replace function afterpush.add_event_counts(counts afterpush.event_count[]) returns void
language plpgsql
as $$
declare
    emptied tid[];
    emptied_hours tid[];
begin
    with modes as (
        select app_id, false as verified, event_hour, campaign_id, variant, category_id, platform, kind, events
        from unnest(counts)
        union all
        select app_id, true, event_hour, campaign_id, variant, category_id, platform, kind, verified_events
        from unnest(counts)
        where verified_events <> 0
    ),
    change as materialized (
        select
            app_id, verified, event_hour, campaign_id, variant, category_id, platform,
            coalesce(sum(events) filter (where kind = 'sent'), 0)::integer as sent,
            coalesce(sum(events) filter (where kind = 'failed'), 0)::integer as failed,
            coalesce(sum(events) filter (where kind = 'delivered'), 0)::integer as delivered,
            coalesce(sum(events) filter (where kind = 'displayed'), 0)::integer as displayed,
            coalesce(sum(events) filter (where kind = 'read'), 0)::integer as read,
            coalesce(sum(events) filter (where kind = 'opened'), 0)::integer as opened,
            coalesce(sum(events) filter (where kind = 'action'), 0)::integer as action,
            coalesce(sum(events) filter (where kind = 'text_input'), 0)::integer as text_input,
            coalesce(sum(events) filter (where kind = 'dismissed'), 0)::integer as dismissed,
            coalesce(sum(events) filter (where kind = 'converted'), 0)::integer as converted,
            coalesce(sum(events) filter (where kind = 'replaced'), 0)::integer as replaced,
            coalesce(sum(events) filter (where kind = 'media_played'), 0)::integer as media_played,
            coalesce(sum(events) filter (where kind = 'media_paused'), 0)::integer as media_paused,
            coalesce(sum(events) filter (where kind = 'attachment_failed'), 0)::integer as attachment_failed,
            coalesce(sum(events) filter (where kind = 'extension_expired'), 0)::integer as extension_expired,
            coalesce(sum(events) filter (where kind = 'token_registered'), 0)::integer as token_registered,
            coalesce(sum(events) filter (where kind = 'token_failed'), 0)::integer as token_failed,
            coalesce(sum(events) filter (where kind = 'permission_granted'), 0)::integer as permission_granted,
            coalesce(sum(events) filter (where kind = 'permission_revoked'), 0)::integer as permission_revoked,
            coalesce(sum(events) filter (where kind = 'app_opened'), 0)::integer as app_opened,
            sum(events)::integer as events
        from modes
        group by 1, 2, 3, 4, 5, 6, 7
    ),
    by_dimension as (
        insert into afterpush.rollup_events as r (
            app_id, verified, event_hour, campaign_id, variant, category_id, platform,
            sent, failed, delivered, displayed, read, opened, action, text_input, dismissed, converted, replaced,
            media_played, media_paused, attachment_failed, extension_expired, token_registered, token_failed,
            permission_granted, permission_revoked, app_opened, events
        )
        select *
        from change
        order by 1, 2, 4, 3, 5, 6, 7
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
            events = r.events + excluded.events
        returning r.ctid as place, r.events
    ),
    by_hour as (
        insert into afterpush.rollup_event_hours as r (
            app_id, verified, event_hour, platform,
            sent, failed, delivered, displayed, read, opened, action, text_input, dismissed, converted, replaced,
            media_played, media_paused, attachment_failed, extension_expired, token_registered, token_failed,
            permission_granted, permission_revoked, app_opened, events
        )
        select
            app_id, verified, event_hour, platform,
            sum(sent)::integer as sent,
            sum(failed)::integer as failed,
            sum(delivered)::integer as delivered,
            sum(displayed)::integer as displayed,
            sum(read)::integer as read,
            sum(opened)::integer as opened,
            sum(action)::integer as action,
            sum(text_input)::integer as text_input,
            sum(dismissed)::integer as dismissed,
            sum(converted)::integer as converted,
            sum(replaced)::integer as replaced,
            sum(media_played)::integer as media_played,
            sum(media_paused)::integer as media_paused,
            sum(attachment_failed)::integer as attachment_failed,
            sum(extension_expired)::integer as extension_expired,
            sum(token_registered)::integer as token_registered,
            sum(token_failed)::integer as token_failed,
            sum(permission_granted)::integer as permission_granted,
            sum(permission_revoked)::integer as permission_revoked,
            sum(app_opened)::integer as app_opened,
            sum(events)::integer as events
        from change
        group by 1, 2, 3, 4
        order by 1, 2, 3, 4
        on conflict (app_id, verified, event_hour, platform) do update set
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
            events = r.events + excluded.events
        returning r.ctid as place, r.events
    )
    select
        (select array_agg(place) from by_dimension where events = 0),
        (select array_agg(place) from by_hour where events = 0)
    into emptied, emptied_hours;

    if emptied is not null then
        delete from afterpush.rollup_events where ctid = any (emptied);
    end if;
    if emptied_hours is not null then
        delete from afterpush.rollup_event_hours where ctid = any (emptied_hours);
    end if;
end
$$;
comment on function afterpush.add_event_counts is 'Adds to the sums of events.';
