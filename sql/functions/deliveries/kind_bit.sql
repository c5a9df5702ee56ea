-- The bit of a kind of event: 1 shifted left by the kind's position in event_kind.
--
-- deliveries.kinds and deliveries.verified_kinds hold the bits of all kinds that occurred, combined with `or`, so the
-- order and the repetition of events do not matter. The functions in kinds.sql answer questions about such a set.
--
-- kind: the kind of event.
-- Returns its bit; 0 for kinds about the device alone, which belong to no delivery.
create or replace function afterpush.kind_bit(kind afterpush.event_kind) returns integer
language sql immutable parallel safe
return case kind
    when 'sent' then 1
    when 'failed' then 2
    when 'delivered' then 4
    when 'displayed' then 8
    when 'read' then 16
    when 'opened' then 32
    when 'action' then 64
    when 'text_input' then 128
    when 'dismissed' then 256
    when 'converted' then 512
    when 'replaced' then 1024
    when 'media_played' then 2048
    when 'media_paused' then 4096
    when 'attachment_failed' then 8192
    when 'extension_expired' then 16384
    when 'held_out' then 32768
    else 0
end;
comment on function afterpush.kind_bit is
    'The bit of a kind in deliveries.kinds; 0 for kinds about the device alone.';
