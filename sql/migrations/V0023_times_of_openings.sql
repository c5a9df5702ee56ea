-- What `fatigue` and `influence` read: deliveries and events one by one, from an hour to another.

-- A report's `from` or `to` as the first whole hour at or after it: an hour is selected by its start.
create function afterpush.report_hour(at text, tz text) returns timestamptz
language sql stable parallel safe
return date_bin(
    '1 hour', afterpush.report_time(at, tz) + interval '3599.999999 s', timestamptz '2000-01-01 00:00Z'
);
comment on function afterpush.report_hour is 'The first whole hour at or after a time given to a report.';
grant execute on function afterpush.report_hour to afterpush_report;

-- A few events in a hundred, and in the order in which they come in.
create index events_of_openings on afterpush.events (app_id, occurred_at)
where kind in ('opened', 'action', 'text_input', 'dismissed', 'app_opened');
comment on index afterpush.events_of_openings is 'Openings of the app and the responses that may have led to them.';

-- Reports of many rows may then use several processes. It reads a setting, which these are given, and one table.
alter function afterpush.report_app() parallel safe;

-- What columns mean, in more words.
insert into afterpush.metric_definitions (name, version, unit, definition, numerator, denominator, selection_window)
values
    ('experiment.control', 1, 'boolean', 'Whether the others are compared with it: the declared control, else the first by name of the declared variants, else of all.', null, null, null),
    ('fatigue.recent_from', 1, 'notifications', 'At least so many other notifications that did not fail had their anchor in the seven days before this one''s.', null, null, null),
    ('influence.day', 1, 'date', 'Local day that holds the start of the opening''s hour.', null, null, null),
    ('influence.direct', 1, 'events', 'The device responded to a notification in the 60 s before; it is credited to the latest one.', null, null, null),
    ('influence.influenced', 1, 'events', 'Not direct; the device confirmed a notification within the window before that was never opened; it is credited to the latest one.', null, null, null),
    ('influence.expected', 1, 'events', 'Openings that chance alone would count as influenced: of those that are not direct, those that would have a confirmed and unopened notification within the window before them if they had come a day later; for a window of more than a day, as many whole days later as it takes for the window to lie after the opening.', null, null, null),
    ('influence.influenced_net', 1, 'events', 'Influenced less expected; below 0 where chance would have made more.', null, null, null)
on conflict (name, version) do update set
    unit = excluded.unit,
    definition = excluded.definition;
