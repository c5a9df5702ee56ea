-- What rollup_event_hours must hold: rollup_events, summed over campaigns, variants and categories. rollup_verify
-- compares the two, and rollup_rebuild stores this.
create or replace view afterpush.summed_event_hours as
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
    sum(held_out)::integer as held_out,
    sum(events)::integer as events
from afterpush.rollup_events
group by 1, 2, 3, 4;
comment on view afterpush.summed_event_hours is 'What rollup_event_hours must hold, summed from rollup_events.';
