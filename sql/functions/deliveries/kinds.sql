-- The states of a delivery, each read from the set of its kinds of events.
--
-- kinds: the bits of the kinds (function kind_bit): deliveries.kinds, deliveries.verified_kinds for verified events
-- only, or the bit of a single event.
--
-- The numbers are those of kind_bit. They are written out because every merge plans its statements again, and calls of
-- kind_bit within these functions would make that slower.

-- 1 sent
create or replace function afterpush.is_sent(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & 1 <> 0;
comment on function afterpush.is_sent is 'Whether a set of kinds includes sent.';

-- 1 sent, and no other kind
create or replace function afterpush.is_only_locally_sent(kinds integer, verified_kinds integer) returns boolean
language sql immutable parallel safe
return kinds = 1 and verified_kinds = 0;
comment on function afterpush.is_only_locally_sent is
    'Whether nothing is known of a delivery but sent events of local triggers.';

-- 4 delivered: the device's confirmation
create or replace function afterpush.is_confirmed(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & 4 <> 0;
comment on function afterpush.is_confirmed is 'Whether a set of kinds includes delivered, the confirmation.';

-- Any sign of the delivery on the device: 4 delivered, 8 displayed, 16 read, 32 opened, 64 action, 128 text_input,
-- 256 dismissed, 2048 media_played, 4096 media_paused, 8192 attachment_failed, 16384 extension_expired
create or replace function afterpush.is_delivered(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & (4 | 8 | 16 | 32 | 64 | 128 | 256 | 2048 | 4096 | 8192 | 16384) <> 0;
comment on function afterpush.is_delivered is 'Whether a set of kinds shows that the notification reached the device.';

-- 2 failed
create or replace function afterpush.has_failed_event(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & 2 <> 0;
comment on function afterpush.has_failed_event is
    'Whether a set of kinds includes failed, whatever shows the delivery on the device.';

-- 2 failed, without any sign of the delivery on the device
create or replace function afterpush.has_failed(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & 2 <> 0 and kinds & (4 | 8 | 16 | 32 | 64 | 128 | 256 | 2048 | 4096 | 8192 | 16384) = 0;
comment on function afterpush.has_failed is
    'Whether a set of kinds includes failed and nothing shows that the notification reached the device.';

-- 2 failed, 8192 attachment_failed, 16384 extension_expired
create or replace function afterpush.has_failure_event(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & (2 | 8192 | 16384) <> 0;
comment on function afterpush.has_failure_event is
    'Whether a set of kinds includes a failure, of the send or on the device.';

-- 8 displayed
create or replace function afterpush.is_displayed(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & 8 <> 0;
comment on function afterpush.is_displayed is 'Whether a set of kinds includes displayed.';

-- 16 read
create or replace function afterpush.is_read(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & 16 <> 0;
comment on function afterpush.is_read is 'Whether a set of kinds includes read.';

-- 32 opened
create or replace function afterpush.is_opened(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & 32 <> 0;
comment on function afterpush.is_opened is 'Whether a set of kinds includes opened, the default action.';

-- 32 opened. The planner estimates `= 0` at one row in two hundred, and `< 1` at a third, which is closer.
create or replace function afterpush.is_unopened(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & 32 < 1;
comment on function afterpush.is_unopened is 'Whether a set of kinds does not include opened, the default action.';

-- 64 action, 128 text_input
create or replace function afterpush.has_acted(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & (64 | 128) <> 0;
comment on function afterpush.has_acted is 'Whether a set of kinds includes an action or a text input.';

-- 128 text_input
create or replace function afterpush.has_replied(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & 128 <> 0;
comment on function afterpush.has_replied is 'Whether a set of kinds includes a text input.';

-- 256 dismissed
create or replace function afterpush.is_dismissed(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & 256 <> 0;
comment on function afterpush.is_dismissed is 'Whether a set of kinds includes dismissed.';

-- 32 opened, 64 action, 128 text_input, 256 dismissed
create or replace function afterpush.has_responded(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & (32 | 64 | 128 | 256) <> 0;
comment on function afterpush.has_responded is
    'Whether a set of kinds includes a response: an open, an action, a text input or a dismissal.';

-- 512 converted
create or replace function afterpush.has_converted_event(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & 512 <> 0;
comment on function afterpush.has_converted_event is
    'Whether a set of kinds includes a converted event; a delivery also converts by a goal action.';

-- 1024 replaced, without a response
create or replace function afterpush.is_replaced(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & 1024 <> 0 and kinds & (32 | 64 | 128 | 256) = 0;
comment on function afterpush.is_replaced is 'Whether a set of kinds includes replaced and no response.';

-- 512 converted; 2^30 a converted event outside the conversion window (function counted_kinds)
create or replace function afterpush.has_any_conversion(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & (512 | (1 << 30)) <> 0;
comment on function afterpush.has_any_conversion is
    'Whether a set of kinds as the rollups count them is that of a delivery with a converted event, at any time.';

-- 32768 held_out. The planner takes an equality for rare, and so `not is_held_out` for nearly always true, which it is;
-- with `<> 0` here it expected to find one in 200 deliveries, and joined them in loops that took minutes.
create or replace function afterpush.is_held_out(kinds integer) returns boolean
language sql immutable parallel safe
return kinds & 32768 = 32768;
comment on function afterpush.is_held_out is
    'Whether a set of kinds includes held_out: such a delivery is in no count but those of report lift.';

-- 1 sent, 4 delivered, 32 opened, 64 action, 128 text_input, 256 dismissed, 1024 replaced
create or replace function afterpush.base_and_response_kinds(kinds integer) returns integer
language sql immutable parallel safe
return kinds & (1 | 4 | 32 | 64 | 128 | 256 | 1024);
comment on function afterpush.base_and_response_kinds is
    'The kinds of a set that the rates of responses depend on: the bases, the responses and replaced.';
