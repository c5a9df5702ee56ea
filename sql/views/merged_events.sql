-- Events as rollup_events counts them: those of merged batches, with the dimensions that their delivery has now. Events
-- about a device alone have no delivery, so the platform that they state is their only dimension.
create or replace view afterpush.merged_events as
select
    e.app_id,
    e.delivery_id,
    afterpush.hour_of(e.occurred_at) as event_hour,
    coalesce(d.campaign_id, '') as campaign_id,
    coalesce(d.variant, '') as variant,
    coalesce(d.category_id, '') as category_id,
    coalesce(case when e.kind < 'token_registered' then d.platform else e.platform end, '') as platform,
    e.kind,
    e.verified
from afterpush.events as e
join afterpush.batches as b using (batch_id)
left join afterpush.deliveries as d on d.delivery_id = e.delivery_id
where b.rolled_up_at is not null;
comment on view afterpush.merged_events is
    'Merged events with the dimensions by which rollup_events counts them.';
