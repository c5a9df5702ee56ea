-- The states of one delivery as the rollups count them: one row, with 1 or 0 for each state that is summed.
--
-- refused: in state failed and not in state replaced. These two and those that responded are mutually exclusive; the
-- other deliveries have no response or are pending.
--
-- kinds: the bits of its kinds of events, of all events or of the verified ones only (see kinds.sql).
create or replace function afterpush.states(kinds integer)
returns table (
    is_sent boolean, is_confirmed boolean, failed integer, delivered integer, displayed integer, opened integer,
    replied integer, dismissed integer, read integer, responded integer, converted_events integer, replaced integer,
    refused integer
)
language sql immutable parallel safe
as $$
    select
        afterpush.is_sent(kinds),
        afterpush.is_confirmed(kinds),
        afterpush.has_failed(kinds)::integer,
        afterpush.is_delivered(kinds)::integer,
        afterpush.is_displayed(kinds)::integer,
        afterpush.is_opened(kinds)::integer,
        afterpush.has_replied(kinds)::integer,
        afterpush.is_dismissed(kinds)::integer,
        afterpush.is_read(kinds)::integer,
        afterpush.has_responded(kinds)::integer,
        afterpush.has_converted_event(kinds)::integer,
        afterpush.is_replaced(kinds)::integer,
        (afterpush.has_failed(kinds) and not afterpush.is_replaced(kinds))::integer
$$;
comment on function afterpush.states is 'The states that a delivery''s kinds of events stand for.';
