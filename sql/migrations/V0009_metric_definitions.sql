-- What every number means, as data. A changed definition is a new row with the next version.

create table afterpush.metric_definitions (
    name text collate "C" not null,
    version integer not null check (version > 0),
    unit text not null,
    definition text not null,
    numerator text,
    denominator text,
    selection_window text,
    primary key (name, version)
);
comment on table afterpush.metric_definitions is 'What the columns of reports mean.';
comment on column afterpush.metric_definitions.name is 'The column''s name.';
comment on column afterpush.metric_definitions.version is 'Version of the definition; the highest holds.';
comment on column afterpush.metric_definitions.unit is 'deliveries, events, ratio, seconds or boolean.';
comment on column afterpush.metric_definitions.definition is 'What it says.';
comment on column afterpush.metric_definitions.numerator is 'What is divided, for a rate.';
comment on column afterpush.metric_definitions.denominator is 'By what, for a rate.';
comment on column afterpush.metric_definitions.selection_window is 'Which deliveries it speaks of.';

insert into afterpush.metric_definitions
    (name, version, unit, definition, numerator, denominator, selection_window)
values
    ('sent', 1, 'deliveries', 'Accepted by the provider: the campaigns declared sends if it has any, else its deliveries with a sent event.', null, null, 'anchor hour within from and to'),
    ('failed', 1, 'deliveries', 'A failed event, and no sign of the delivery on the device; declared failures are added.', null, null, 'anchor hour within from and to'),
    ('delivered', 1, 'deliveries', 'Any of the events delivered, displayed, read, opened, action, text_input, dismissed, media_played, media_paused, attachment_failed, extension_expired.', null, null, 'anchor hour within from and to'),
    ('confirmed', 1, 'deliveries', 'A delivered event: the service extension or push handler confirmed it.', null, null, 'anchor hour within from and to'),
    ('displayed', 1, 'deliveries', 'A displayed event: shown in the foreground, by a content extension or by the browser.', null, null, 'anchor hour within from and to'),
    ('opened', 1, 'deliveries', 'Answered with the default action.', null, null, 'anchor hour within from and to'),
    ('acted', 1, 'deliveries', 'Answered with an action or text input.', null, null, 'anchor hour within from and to'),
    ('replied', 1, 'deliveries', 'Answered with text input.', null, null, 'anchor hour within from and to'),
    ('dismissed', 1, 'deliveries', 'Answered with the dismiss identifier.', null, null, 'anchor hour within from and to'),
    ('read', 1, 'deliveries', 'Marked as read by a read receipt.', null, null, 'anchor hour within from and to'),
    ('responded', 1, 'deliveries', 'Opened, acted, replied or dismissed.', null, null, 'anchor hour within from and to'),
    ('converted', 1, 'deliveries', 'Acted with a goal action, or a converted event. Goals are those of the category version and of the campaign together; if neither names one, every action and text input that is not declared destructive.', null, null, 'anchor hour within from and to'),
    ('no_response', 1, 'deliveries', 'Unanswered and closed: the whole anchor hour and the response window of the campaign (default 72 h) have passed by as_of.', null, null, 'anchor hour within from and to'),
    ('pending', 1, 'deliveries', 'Unanswered and not closed.', null, null, 'anchor hour within from and to'),
    ('base_n', 1, 'deliveries', 'The base of the rates: sends (per=sent) or confirmed deliveries (per=confirmed).', null, null, 'anchor hour within from and to'),
    ('reply_n', 1, 'deliveries', 'The base, of deliveries whose category version offers a text action.', null, null, 'anchor hour within from and to'),
    ('dismiss_n', 1, 'deliveries', 'The base, of deliveries whose dismissal would be reported, less those replaced: on iOS the category version has customDismissAction; on Android and the web always; unknown category or platform never.', null, null, 'anchor hour within from and to'),
    ('closed_n', 1, 'deliveries', 'The base, of closed deliveries, less those replaced.', null, null, 'anchor hour within from and to'),
    ('offered_n', 1, 'deliveries', 'The base, of deliveries whose category version offers the action.', null, null, 'anchor hour within from and to'),
    ('total', 1, 'events', 'Events, repeated ones by the same delivery included.', null, null, 'anchor hour within from and to'),
    ('delivery_rate', 1, 'ratio', 'Share of the sends that were seen on the device.', 'delivered, among the sends', 'sent', 'anchor hour within from and to'),
    ('confirmation_coverage', 1, 'ratio', 'Share of the sends that were confirmed.', 'confirmed, among the sends', 'sent', 'anchor hour within from and to'),
    ('open_rate', 1, 'ratio', 'Share of the base that was opened.', 'opened, within the base', 'base_n', 'anchor hour within from and to'),
    ('action_rate', 1, 'ratio', 'Share of the base that was acted on.', 'acted, within the base', 'base_n', 'anchor hour within from and to'),
    ('conversion', 1, 'ratio', 'Share of the deliveries that were offered the action and acted with it.', 'acted with the action, within the base', 'offered_n', 'anchor hour within from and to'),
    ('conversion_rate', 1, 'ratio', 'Share of the base that converted.', 'converted, within the base', 'base_n', 'anchor hour within from and to'),
    ('reply_rate', 1, 'ratio', 'Share of the deliveries offered a text action that replied.', 'replied, within the base', 'reply_n', 'anchor hour within from and to'),
    ('dismiss_rate', 1, 'ratio', 'Share of the deliveries whose dismissal would be reported that were dismissed.', 'dismissed, within the base', 'dismiss_n', 'anchor hour within from and to'),
    ('dismiss_coverage', 1, 'ratio', 'Share of the base whose dismissal would be reported.', 'dismiss-observable, within the base', 'base_n', 'anchor hour within from and to'),
    ('read_rate', 1, 'ratio', 'Share of the base that was marked as read.', 'read, within the base', 'base_n', 'anchor hour within from and to'),
    ('no_response_rate', 1, 'ratio', 'Share of the closed deliveries that nobody answered.', 'closed without a response, within the base', 'closed_n', 'anchor hour within from and to'),
    ('p50_seconds', 1, 'seconds', 'Median time from the confirmation, else the send, to the first response counted; a negative time counts as 0; at most 4 % off.', null, null, 'anchor hour within from and to'),
    ('suppressed', 1, 'boolean', 'Whether a rate of the row was left out because its denominator is above 0 and under min_n.', null, null, null);

-- The definitions that hold, as the JSON objects that reports carry, in the order of `names`.
create function afterpush.definitions(names text[]) returns setof text
language sql stable
as $$
    select json_build_object(
        'name', d.name, 'version', d.version, 'unit', d.unit, 'definition', d.definition, 'numerator', d.numerator,
        'denominator', d.denominator, 'window', d.selection_window
    )::text
    from unnest(names) with ordinality as n (name, place)
    cross join lateral (
        select *
        from afterpush.metric_definitions
        where metric_definitions.name = n.name
        order by version desc
        limit 1
    ) as d
    order by place
$$;
comment on function afterpush.definitions is 'The definitions that hold of some metrics, as JSON objects.';
