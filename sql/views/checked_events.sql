-- Events with what rollup_event_checks and rollup_names count them by. skew is null if the request did not state sent_at.
create or replace view afterpush.checked_events as
select
    e.app_id, e.delivery_id, e.event_id, e.device_time, e.batch_id,
    afterpush.hour_of(e.occurred_at) as event_hour,
    afterpush.event_traits(e.notification_id is not null, e.kind, e.verified, e.names_past_limit) as traits,
    afterpush.counted_seconds(e.skew_milliseconds / 1000) as skew,
    afterpush.counted_seconds(floor(date_part('epoch', b.started_at - e.occurred_at))::bigint) as delay,
    coalesce(e.campaign_id, '') as campaign_id,
    coalesce(e.variant, '') as variant,
    coalesce(e.category_id, '') as category_id,
    coalesce(e.category_version, 0) as category_version,
    -- An action whose name was past its limit is stored as (other).
    coalesce(case when e.kind in ('action', 'text_input') then nullif(e.action_identifier, '(other)') end, '')
        as action_id,
    b.rolled_up_at is not null as is_merged
from afterpush.events as e
join afterpush.batches as b using (batch_id);
comment on view afterpush.checked_events is 'Events with what rollup_event_checks and rollup_names count them by.';
