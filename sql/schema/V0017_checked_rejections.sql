-- Collectors search rejected events for erased devices, which is much faster than trigger redact_rejected_event.
alter table afterpush.rejected_events add column checked_until bigint not null default 0;
comment on column afterpush.rejected_events.checked_until is
    'The suppression_id up to which the collector found no erased device in the event; 0 if it did not look.';
