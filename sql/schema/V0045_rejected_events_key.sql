-- Rejected events are always looked for by app. A plan that didn't know how many an app has could read an index on
-- rejection_id alone, and with it the rejected events of all apps; so there is none.
drop index afterpush.rejected_events_of_app;
alter table afterpush.rejected_events drop constraint rejected_events_pkey;
alter table afterpush.rejected_events add primary key (app_id, rejection_id);
