-- The texts of a group find their places in one call (function reply_places), and how long an app keeps texts is a table,
-- which PostgreSQL can inline. Before, each text cost a call of several functions, whose queries are planned at each call:
-- a third of the time of storing events of which one in 60 has a text.
drop view if exists afterpush.expired_replies;
drop function if exists afterpush.reply_place(integer, uuid, text, boolean);
drop function if exists afterpush.text_place(integer, boolean, text, text, boolean);
drop function if exists afterpush.text_periods(integer);

-- Groups say now how much of the suppression list they were compared with.
drop function if exists afterpush.hold_ingest_barrier();
