-- Drops what nothing uses: functions that neither the program nor a report calls, an outcome that no message has, and the
-- trigger function whose work update_sent_categories does.

drop function if exists afterpush.chi_square_cdf(double precision, integer);
drop function if exists afterpush.welch_low(
    double precision, double precision, double precision, double precision, double precision, double precision
);
drop function if exists afterpush.welch_high(
    double precision, double precision, double precision, double precision, double precision, double precision
);

drop trigger if exists state_sent_category on afterpush.sends;
drop function if exists afterpush.state_sent_category();

alter table afterpush.alert_messages
    drop constraint alert_messages_outcome_check,
    add constraint alert_messages_outcome_check check (outcome in ('delivered', 'gave_up', 'destination_disabled'));
comment on column afterpush.alert_messages.outcome is
    'delivered, gave_up (after three days) or destination_disabled (it answered 410); null while the message waits.';

-- Texts are decided in pages, by decide_waiting_page.
drop function if exists afterpush.purge_replies(integer, boolean);
-- apps_to_merge does its work.
drop function if exists afterpush.apps_to_decide(integer);
