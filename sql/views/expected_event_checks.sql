-- What rollup_event_checks must hold, computed from all merged events. rollup_verify compares the two, and rollup_rebuild
-- stores this.
create or replace view afterpush.expected_event_checks as
select e.app_id, e.event_hour, m.measure, m.value, sum(e.events)::integer as events
from (
    select app_id, event_hour, traits, skew, delay, count(*) as events
    from afterpush.checked_events
    where is_merged
    group by 1, 2, 3, 4, 5
) as e
cross join lateral (
    values
        ('traits'::afterpush.event_measure, e.traits),
        ('skew'::afterpush.event_measure, e.skew),
        ('delay'::afterpush.event_measure, e.delay)
) as m (measure, value)
where m.value is not null
group by 1, 2, 3, 4;
comment on view afterpush.expected_event_checks is 'What rollup_event_checks must hold, computed from all merged events.';
