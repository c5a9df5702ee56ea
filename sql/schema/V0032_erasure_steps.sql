-- Steps of an erasure are bounded by rows: a delivery with very many events is erased in several, and alerts are searched
-- a page at a time.

alter table afterpush.erasures
    add column partial_delivery uuid,
    add column rejected_at_request bigint not null default 0,
    add column alerts_checked timestamptz not null default '-infinity',
    drop constraint erasures_phase_check,
    add constraint erasures_phase_check check (
        phase in ('announced', 'merging', 'searching', 'erasing', 'checking_rejected', 'erasing_texts', 'done')
    );
comment on column afterpush.erasures.phase is
    'announced, merging (waits for batches), searching (for the device of a hash), erasing, checking_rejected, erasing_texts (names and alerts) or done.';
comment on column afterpush.erasures.partial_delivery is
    'Delivery of which only a part of the events and replies is deleted yet; null if there is none.';
comment on column afterpush.erasures.rejected_at_request is
    'Last rejected event of the app when the job began; a repeated request lets those after it be checked again.';
comment on column afterpush.erasures.alerts_checked is
    'The history and messages of alerts up to this time have been searched for the device.';

-- Dropped, because functions with these names and further parameters replace them.
drop function if exists afterpush.run_erasure_step(integer);
drop function if exists afterpush.erase_device_chunk(integer, text, integer);
drop function if exists afterpush.preserve_event_counts(uuid[]);
drop function if exists afterpush.erase_texts_with_id(integer, text);
drop function if exists afterpush.purge_replies(integer);
