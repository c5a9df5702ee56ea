-- Frozen: index deliveries_anchor depends on anchor_at. With other results the index would miss deliveries, and rollups
-- would count a delivery in another hour than before.

-- The anchor: the sent time, else the issue time of the receipt, else the earliest event.
--
-- Same as coalesce, but written as a case expression: under row-level security, PostgreSQL uses an index only for
-- leakproof expressions, and it does not take coalesce as one.
create or replace function afterpush.anchor_at(
    sent_at timestamptz, receipt_issued_at timestamptz, first_event_at timestamptz
)
returns timestamptz
language sql immutable parallel safe
return case
    when sent_at is not null then sent_at
    when receipt_issued_at is not null then receipt_issued_at
    else first_event_at
end;
comment on function afterpush.anchor_at is 'Returns the anchor of a delivery, the time by which reports select it.';

-- The anchor rounded down to the hour (UTC), by which rollups group.
create or replace function afterpush.anchor_hour(
    sent_at timestamptz, receipt_issued_at timestamptz, first_event_at timestamptz
)
returns timestamptz
language sql immutable parallel safe
return date_trunc('hour', coalesce(sent_at, receipt_issued_at, first_event_at) at time zone 'UTC') at time zone 'UTC';
comment on function afterpush.anchor_hour is 'Returns the anchor of a delivery rounded down to the hour.';
