-- Event codes: the kind of one event, and whether it is verified, as one integer: twice the bit of the kind (function
-- kind_bit), plus 1 if the event is verified.
--
-- While a batch is merged, each delivery carries the hours and the codes of its events as two arrays of the same length
-- (delivery_delta, touched_delivery). Deliveries with equal arrays are then counted together, and integers are cheaper
-- to compare than rows.

create or replace function afterpush.event_code(kind_bit integer, is_verified boolean) returns integer
language sql immutable parallel safe
return kind_bit * 2 + is_verified::integer;
comment on function afterpush.event_code is 'The code of an event: its kind''s bit twice, plus 1 if it is verified.';

create or replace function afterpush.event_code_bit(code integer) returns integer
language sql immutable parallel safe
return code >> 1;
comment on function afterpush.event_code_bit is 'The kind''s bit of an event code.';

create or replace function afterpush.event_code_is_verified(code integer) returns boolean
language sql immutable parallel safe
return code & 1 = 1;
comment on function afterpush.event_code_is_verified is 'Whether an event code is that of a verified event.';

-- Whether some event codes include that of an unverified sent or delivered event, whose kinds have the bits 1 and 4.
create or replace function afterpush.has_unverified_evidence(codes integer[]) returns boolean
language sql immutable parallel safe
return codes && array[1 * 2, 4 * 2];
comment on function afterpush.has_unverified_evidence is
    'Whether some event codes include that of an unverified sent or delivered event.';
