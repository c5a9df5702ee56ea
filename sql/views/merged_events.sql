-- Events as rollup_events counts them: those of merged batches, with the dimensions that their delivery has now. A
-- verified event has a second row (verified is true), with the dimensions that verified events state. Events about a
-- device alone have no delivery, so the platform that they state is their only dimension.
create or replace view afterpush.merged_events as
select
    e.app_id,
    e.delivery_id,
    afterpush.hour_of(e.occurred_at) as event_hour,
    coalesce(afterpush.stated(d.campaign_id, d.campaign_source_rank, m.verified), '') as campaign_id,
    coalesce(afterpush.stated(d.variant, d.campaign_source_rank, m.verified), '') as variant,
    coalesce(afterpush.stated(d.category_id, d.category_source_rank, m.verified), '') as category_id,
    coalesce(
        case
            when e.notification_id is not null then afterpush.stated(d.platform, d.platform_source_rank, m.verified)
            else e.platform
        end,
        ''
    ) as platform,
    e.kind,
    m.verified,
    e.event_id,
    e.device_time
from afterpush.events as e
join afterpush.batches as b using (batch_id)
join unnest(array[false, true]) as m (verified) on e.verified or not m.verified
left join afterpush.deliveries as d on d.delivery_id = e.delivery_id
where b.rolled_up_at is not null;
comment on view afterpush.merged_events is
    'Merged events with the dimensions by which rollup_events counts them; verified ones twice.';
