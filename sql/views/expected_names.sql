-- What rollup_names must hold, computed from all merged events. rollup_verify compares the two, and rollup_rebuild stores
-- this.
create or replace view afterpush.expected_names as
select
    app_id, event_hour, campaign_id, variant, category_id, category_version, action_id, count(*)::integer as events
from afterpush.checked_events
where is_merged
group by 1, 2, 3, 4, 5, 6, 7;
comment on view afterpush.expected_names is 'What rollup_names must hold, computed from all merged events.';
