-- What is read, and what counts as sealed, must not depend on other apps, nor on unverified events.

-- They have a new parameter: whether only verified deliveries count.
drop function if exists afterpush.report_span(integer, timestamptz, timestamptz, text);
drop function if exists afterpush.report_hours(text, text);
