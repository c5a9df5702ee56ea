-- Batches of an app can be merged on their own, so that an app whose merges are slow or fail doesn't hold up the others.
drop function if exists afterpush.roll_up(integer);
drop function if exists afterpush.waiting_batches(integer);
