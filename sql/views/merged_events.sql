-- Events as rollup_events counts them: those that are merged, under the names that their delivery has. Those about the
-- device alone have no delivery, so they have the platform that they state and no other dimension.
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
    'Merged events with the dimensions that rollup_events counts them under.';
