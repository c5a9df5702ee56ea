-- Drops the search of rejected events for erased devices. Collectors do it; events can be made so that PostgreSQL took
-- seconds for each.

drop function if exists afterpush.find_erased_devices();
drop function if exists afterpush.rejected_event_devices(text);
drop function if exists afterpush.rejected_event_texts(text);
drop function if exists afterpush.encoded_subjects(text);
drop function if exists afterpush.utf8_text(text);

-- It has a parameter more.
drop function if exists afterpush.hold_ingest_barrier(bigint);

-- Every step of an erasure looks for jobs by their phase, and for the first one of an app. Those that are done stay for
-- ever.
create index erasures_unfinished on afterpush.erasures (phase, app_id, requested_at, device_hash) where phase <> 'done';
comment on index afterpush.erasures_unfinished is 'For the steps of erasures.';
