-- What rollup_events must hold, computed from all merged events and from the numbers that were kept of erased ones.
-- rollup_verify compares the two, and rollup_rebuild stores this.
create or replace view afterpush.expected_events as
with counts as (
    select
        app_id, verified, event_hour, campaign_id, variant, category_id, platform, kind, count(*) as events
    from afterpush.merged_events
    group by 1, 2, 3, 4, 5, 6, 7, 8
    union all
    select * from afterpush.erased_event_counts
)
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
    coalesce(sum(events) filter (where kind = 'held_out'), 0)::integer as held_out,
    sum(events)::integer as events
from counts
group by 1, 2, 3, 4, 5, 6, 7;
comment on view afterpush.expected_events is
    'What rollup_events must hold, computed from all merged events and the numbers kept of erased ones.';
