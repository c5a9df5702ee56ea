-- What is read, and what counts as sealed, must not depend on other apps, nor on unverified events.

-- An app's batches by time, and those that wait, so that neither reports nor the inspector read those of other apps.
create index batches_of_app on afterpush.batches (app_id, started_at);
create index batches_waiting_of_app on afterpush.batches (app_id, batch_id) where rolled_up_at is null;

-- Dropped, because functions with these names and a further parameter, whether only verified deliveries count, replace
-- them.
drop function if exists afterpush.report_span(integer, timestamptz, timestamptz, text);
drop function if exists afterpush.report_hours(text, text);

-- Deliveries of sealed hours that come to have their first verified event.
alter type afterpush.touched_delivery add attribute is_released boolean;
alter type afterpush.merge_result add attribute released uuid[];
