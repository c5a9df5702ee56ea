-- Somebody without a send key or the event's receipt doesn't decide on the time of an event that has one.
comment on column afterpush.event_arrivals.event_id is
    'Identifier of the event, which does not depend on its time; if a send key or receipt proves it, a hash with the proof.';
