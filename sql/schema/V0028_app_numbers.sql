-- New apps get a random number. Spools name apps by number: after a restore, or in another database, a number that counts
-- up would soon belong to another app, which would get the events.
alter table afterpush.apps alter column app_id drop identity;
alter table afterpush.apps alter column app_id set default (1 + floor(2147483647 * random()))::integer;
comment on column afterpush.apps.app_id is
    'Number that identifies the app in every other table and in spools; random, so that it is most probably no other app''s in another database.';
