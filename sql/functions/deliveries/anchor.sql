-- coalesce, written so that row-level security lets an index serve it: it takes coalesce for something that could leak.
create or replace function afterpush.anchor_at(sent_at timestamptz, receipt_issued_at timestamptz, first_event_at timestamptz)
returns timestamptz
language sql immutable parallel safe
return case
    when sent_at is not null then sent_at
    when receipt_issued_at is not null then receipt_issued_at
    else first_event_at
end;
comment on function afterpush.anchor_at is 'The time that a delivery is anchored at.';

-- Anchor: the sent time, else the receipt's issue time, else the earliest event; rounded down to the hour.
create or replace function afterpush.anchor_hour(sent_at timestamptz, receipt_issued_at timestamptz, first_event_at timestamptz)
returns timestamptz
language sql immutable parallel safe
return date_trunc('hour', coalesce(sent_at, receipt_issued_at, first_event_at) at time zone 'UTC') at time zone 'UTC';
comment on function afterpush.anchor_hour is 'The hour that a delivery is selected and grouped by.';
