-- The states of a delivery by the names of the columns of report conversion, for the inspector.
--
-- kinds: the bits of its kinds of events as reports count them (function counted_kinds).
-- Returns a row for each state that it is in, in the order of the report's columns. A delivery that was held out is in
-- none.
create or replace function afterpush.inspected_states(kinds integer) returns table (place integer, name text)
language sql immutable parallel safe
as $$
    select s.place, s.name
    from (values
        (1, 'sent', afterpush.is_sent(kinds)),
        (2, 'failed', afterpush.has_failed(kinds)),
        (3, 'delivered', afterpush.is_delivered(kinds)),
        (4, 'confirmed', afterpush.is_confirmed(kinds)),
        (5, 'displayed', afterpush.is_displayed(kinds)),
        (6, 'opened', afterpush.is_opened(kinds)),
        (7, 'acted', afterpush.has_acted(kinds)),
        (8, 'replied', afterpush.has_replied(kinds)),
        (9, 'dismissed', afterpush.is_dismissed(kinds)),
        (10, 'read', afterpush.is_read(kinds)),
        (11, 'responded', afterpush.has_responded(kinds)),
        (12, 'replaced', afterpush.is_replaced(kinds))
    ) as s (place, name, holds)
    where s.holds
      and not afterpush.is_held_out(kinds)
$$;
comment on function afterpush.inspected_states is
    'The states of a delivery, as names of columns of the report conversion.';
