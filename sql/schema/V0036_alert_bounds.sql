-- What is kept of an app's alerts is bounded, so that an app whose rules fire all the time leaves room to the others, and
-- no statement has to read all that it ever said. The program keeps these bounds (AlertLimits.swift); what was there
-- before is cut here.

alter table afterpush.alert_history
    add column refused integer not null default 0 check (refused >= 0);
comment on column afterpush.alert_history.refused is
    'Number of its messages for which there was no room, because too many messages of the app waited.';
comment on table afterpush.alert_history is
    'One row per change of an alert''s state; kept for 400 days, and the latest 10,000 of an app.';
comment on table afterpush.alert_messages is
    'The outbox: one row per message and destination; kept for 30 days after its end, and the latest 10,000 of an app.';
comment on column afterpush.alert_messages.outcome is
    'delivered, gave_up (after three days), destination_disabled (it answered 410) or, by earlier versions, no_room (too '
    'many messages of the app waited); null while the message waits.';

-- A message without room had a row of its own, although it is never sent.
update afterpush.alert_history as h
set refused = m.messages
from (
    select message_id, count(*) as messages
    from afterpush.alert_messages
    where outcome = 'no_room'
    group by message_id
) as m
where m.message_id = h.transition_id;
delete from afterpush.alert_messages
where outcome = 'no_room';

delete from afterpush.alert_history
where transition_id in (
    select transition_id
    from (
        select
            transition_id,
            row_number() over (partition by app_id order by changed_at desc, transition_id) as place
        from afterpush.alert_history
    ) as h
    where place > 10000
);
delete from afterpush.alert_messages
where (message_id, kind, target) in (
    select message_id, kind, target
    from (
        select
            message_id, kind, target,
            row_number() over (partition by app_id order by created_at desc, message_id, kind, target) as place
        from afterpush.alert_messages
        where ended_at is not null
    ) as m
    where place > 10000
);
delete from afterpush.alert_states
where (app_id, alert_name, series) in (
    select app_id, alert_name, series
    from (
        select
            app_id, alert_name, series,
            row_number() over (
                partition by app_id, alert_name
                order by state = 'firing' desc, seen_at desc, series
            ) as place
        from afterpush.alert_states
    ) as s
    where place > 2000
);
