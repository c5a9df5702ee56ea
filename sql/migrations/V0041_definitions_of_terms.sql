-- What the words mean that the definitions of columns are made of, and the one rate that a column calls otherwise.

insert into afterpush.metric_definitions
    (name, version, unit, definition, numerator, denominator, selection_window)
values
    ('delivery', 1, 'deliveries', 'One notification on one device: app, notification_id, device_id. Rates count deliveries, each at most once.', null, null, null),
    ('anchor', 1, 'time', 'A delivery''s sent time, else the issue time of its receipt, else its earliest event. from (inclusive) and to (exclusive) select deliveries by anchor, rounded down to the hour.', null, null, null),
    ('dimensions', 1, 'text', 'What was known before anyone responded: from the sent events of the delivery; what they leave open, from its confirmations; from other events only if it has neither. Where events of one standing disagree, the smallest value wins.', null, null, null),
    ('verified', 1, 'boolean', 'Of an event: with a valid receipt bound to its device, or posted with a send key. With verified=true a state holds only if a verified event shows it. Declared sends are verified.', null, null, null),
    ('replaced', 1, 'deliveries', 'A replaced event names it, and it did not respond.', null, null, 'anchor hour within from and to'),
    ('dismiss_observable', 1, 'deliveries', 'Dismissing it would be reported: on iOS the category version has customDismissAction; on Android and the web always; otherwise, and where category (on iOS) or platform are unknown, never.', null, null, 'anchor hour within from and to'),
    ('closed', 1, 'deliveries', 'The whole anchor hour and the response window of the campaign (default 72 h) have passed by as_of. A campaign with declared sends closes as a whole, with its last.', null, null, 'anchor hour within from and to'),
    ('time_to_response', 1, 'seconds', 'First response less confirmation, else less sent, else left out; a negative one counts as 0 and is counted apart.', null, null, 'anchor hour within from and to'),
    ('as_of', 1, 'time', 'All events answered 200 before it are counted.', null, null, null),
    ('action_conversion', 1, 'ratio', 'Share of the deliveries that were offered the action and acted with it: the column conversion of actions.', 'acted with the action, the version offers it, within the base', 'offered_n', 'anchor hour within from and to');
