-- A statement about one app must not read the rows of others, even if its plan knows only that most rows are of an app of
-- which very many wait. Among several indexes with the order that it asks for, such a plan can take one of all apps. So an
-- app's waiting batches have an order of their own: `batch_id + 0`, which no other index has.
drop index afterpush.batches_waiting_of_app;
create index batches_waiting_of_app on afterpush.batches (app_id, (batch_id + 0)) where rolled_up_at is null;
comment on index afterpush.batches_waiting_of_app is
    'Batches of an app that the rollups do not include yet, for statements that order them by batch_id + 0.';
-- Waiting texts of an app are found by waiting_replies_of_app_until.
drop index afterpush.waiting_replies_waits_until_idx;
