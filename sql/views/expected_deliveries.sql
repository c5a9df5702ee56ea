-- What rollup_deliveries must hold, computed from all deliveries. rollup_verify compares the two.
create or replace view afterpush.expected_deliveries as
select
    app_id, verified, anchor_hour, campaign_id, variant, category_id, category_version, platform, is_sent,
    is_confirmed, actions,
    sum(deliveries)::bigint as deliveries,
    sum(failed)::bigint as failed,
    sum(delivered)::bigint as delivered,
    sum(displayed)::bigint as displayed,
    sum(opened)::bigint as opened,
    sum(replied)::bigint as replied,
    sum(dismissed)::bigint as dismissed,
    sum(read)::bigint as read,
    sum(responded)::bigint as responded,
    sum(converted_events)::bigint as converted_events,
    sum(replaced)::bigint as replaced,
    sum(refused)::bigint as refused,
    sum(locally_sent)::bigint as locally_sent,
    sum(only_locally_sent)::bigint as only_locally_sent
from afterpush.expected_app_versions
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11;
comment on view afterpush.expected_deliveries is 'What rollup_deliveries must hold, computed from all deliveries.';
