-- What rollup_app_version_counts must hold, computed from all deliveries. rollup_verify compares the two.
create or replace view afterpush.expected_app_version_counts as
select
    app_id, modes, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent, is_confirmed,
    array(select action_id collate "default" from unnest(action_ids) as action_id) as actions,
    count(*)::integer as deliveries,
    sum(failed)::integer as failed,
    sum(delivered)::integer as delivered,
    sum(displayed)::integer as displayed,
    sum(opened)::integer as opened,
    sum(replied)::integer as replied,
    sum(dismissed)::integer as dismissed,
    sum(read)::integer as read,
    sum(responded)::integer as responded,
    sum(converted_events)::integer as converted_events,
    sum(replaced)::integer as replaced,
    sum(refused)::integer as refused,
    sum(locally_sent)::integer as locally_sent,
    sum(only_locally_sent)::integer as only_locally_sent,
    app_version
from afterpush.delivery_modes
cross join lateral afterpush.states(kinds)
group by
    app_id, modes, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform, is_sent,
    is_confirmed, array(select action_id collate "default" from unnest(action_ids) as action_id);
comment on view afterpush.expected_app_version_counts is
    'What rollup_app_version_counts must hold, computed from all deliveries.';
