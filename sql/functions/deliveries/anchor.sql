-- Frozen: index deliveries_anchor contains results of anchor_at, and rollups contain results of anchor_hour. With other
-- results the index would miss deliveries, and rollups would count a delivery in two hours.

-- The anchor of a delivery: the time of its verified send, else the issue time of its receipt, else its earliest event.
-- Reports select and group deliveries by it, rounded down to the hour.
--
-- Of a delivery with a verified event, receipt_issued_at and first_event_at are about its verified events alone, so no
-- unverified event can move its anchor.

-- The exact anchor. It is written as a case expression because row-level security keeps coalesce, which PostgreSQL does
-- not count as leakproof, from being answered by the index on this expression.
create or replace function afterpush.anchor_at(
    verified_sent_at timestamptz, receipt_issued_at timestamptz, first_event_at timestamptz
) returns timestamptz
language sql immutable parallel safe
return case
    when verified_sent_at is not null then verified_sent_at
    when receipt_issued_at is not null then receipt_issued_at
    else first_event_at
end;
comment on function afterpush.anchor_at is 'The anchor of a delivery.';

-- The start of the anchor's hour, UTC. date_bin does not depend on the session's time zone; its origin is earlier than
-- any time that RFC 3339 can express.
create or replace function afterpush.anchor_hour(
    verified_sent_at timestamptz, receipt_issued_at timestamptz, first_event_at timestamptz
) returns timestamptz
language sql immutable parallel safe
return date_bin('1 hour', coalesce(verified_sent_at, receipt_issued_at, first_event_at), '0001-01-01 00:00:00+00 BC');
comment on function afterpush.anchor_hour is 'The hour, UTC, by which a delivery is selected and grouped.';
