-- What rollup_stored_hours must hold, computed from all deliveries. rollup_verify compares the two, and rollup_rebuild
-- stores this.
create or replace view afterpush.expected_stored_hours as
select
    app_id,
    afterpush.anchor_hour(verified_sent_at, receipt_issued_at, first_event_at) as anchor_hour,
    last_stored_hour,
    count(*)::integer as deliveries,
    (count(*) filter (where responded_at is not null and coalesce(confirmed_at, sent_at) is not null))::integer as timed,
    (count(*) filter (where responded_at < coalesce(confirmed_at, sent_at)))::integer as negative
from afterpush.deliveries
where not afterpush.is_held_out(kinds)
group by 1, 2, 3;
comment on view afterpush.expected_stored_hours is 'What rollup_stored_hours must hold, computed from all deliveries.';
