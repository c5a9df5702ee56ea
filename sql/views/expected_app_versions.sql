-- What rollup_app_versions must hold, computed from all deliveries. rollup_verify compares the two.
create or replace view afterpush.expected_app_versions as
select
    app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent, is_confirmed,
    array(select action_id collate "default" from unnest(action_ids) as action_id) as actions,
    count(*) as deliveries,
    sum(failed) as failed,
    sum(delivered) as delivered,
    sum(displayed) as displayed,
    sum(opened) as opened,
    sum(replied) as replied,
    sum(dismissed) as dismissed,
    sum(read) as read,
    sum(responded) as responded,
    sum(converted_events) as converted_events,
    sum(replaced) as replaced,
    sum(refused) as refused,
    sum(locally_sent) as locally_sent,
    sum(only_locally_sent) as only_locally_sent,
    app_version
from afterpush.delivery_modes
cross join lateral afterpush.states(kinds)
group by
    app_id, verified, anchor_hour, app_version, campaign_id, variant, category_id, category_version, platform, is_sent,
    is_confirmed, array(select action_id collate "default" from unnest(action_ids) as action_id);
comment on view afterpush.expected_app_versions is
    'What rollup_app_versions must hold, computed from all deliveries.';
